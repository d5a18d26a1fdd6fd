// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// check_bp TOP BLUEPRINTS RELEASE: lets Soong itself read every Android.bp below TOP, look at each
// property and find each module that another one names. Their text is that below BLUEPRINTS. RELEASE
// is the Soong variable that storekeeper.mk sets. Debian's Soong is of Android 11's time; what is a
// plug-in of its own has a stand-in below, with the properties that we use and no other.
package main

import (
	"fmt"
	"io/ioutil"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"android/soong/android"
	"android/soong/cc"
	_ "android/soong/etc"
	"android/soong/java"
	"android/soong/python"
	_ "android/soong/sh"
)

// Modules of other projects of Android.
const standIns = `
cc_defaults { name: "outside", host_supported: true, system_shared_libs: [], stl: "none", nocrt: true }
`

var outsideLibraries = []string{
	"android.hardware.health@1.0", "android.hardware.health@2.0", "libbase", "libbinder_ndk",
	"libgmock", "libgoogle-benchmark", "libgtest", "libgtest_main", "libhidlbase", "libjsoncpp",
	"liblog", "libpower", "libsqlite", "libutils",
}

// Those that only some releases have.
var librariesOf = map[string][]string{
	"before_13": {"storekeeper_aidl_interface-ndk_platform",
		"storekeeper_packages_aidl-ndk_platform"},
	"since_13": {"android.hardware.health-V1-ndk", "storekeeper_aidl_interface-ndk",
		"storekeeper_packages_aidl-ndk"},
}

type standIn struct {
	android.ModuleBase
	properties interface{}
}

func (s *standIn) GenerateAndroidBuildActions(android.ModuleContext) {}
func (s *standIn) DepsMutator(android.BottomUpMutatorContext)        {}

func factory(properties func() interface{}) android.ModuleFactory {
	return func() android.Module {
		module := &standIn{properties: properties()}
		module.AddProperties(module.properties)
		android.InitAndroidModule(module)
		return module
	}
}

type backend struct{ Enabled *bool }

type aidlProperties struct {
	Unstable          *bool
	Local_include_dir *string
	Srcs              []string
	Backend           struct{ Cpp, Java, Ndk backend }
}

var buildDir string

type syspropProperties struct {
	Property_owner *string
}

func fail(what string, errs []error) {
	if len(errs) == 0 {
		return
	}
	for _, err := range errs {
		fmt.Fprintln(os.Stderr, err)
	}
	fmt.Fprintf(os.Stderr, "check_bp: %s: %d problems\n", what, len(errs))
	os.RemoveAll(buildDir)
	os.Exit(1)
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: check_bp TOP BLUEPRINTS RELEASE")
		os.Exit(64)
	}
	top, texts, release := os.Args[1], os.Args[2], os.Args[3]
	files := map[string][]byte{}
	var blueprints []string
	err := filepath.Walk(top, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(top, path)
		if info.IsDir() {
			if name == "out" || name == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		files[name] = nil
		if info.Name() == "Android.bp" {
			blueprints = append(blueprints, name)
			var text []byte
			text, err = ioutil.ReadFile(filepath.Join(texts, name))
			files[name] = text
		}
		return err
	})
	if err != nil {
		fail("reading", []error{err})
	}
	sort.Strings(blueprints)

	text := string(files["Android.bp"]) + standIns
	for _, name := range append(outsideLibraries, librariesOf[release]...) {
		text += fmt.Sprintf("cc_library { name: %q, defaults: [\"outside\"] }\n", name)
	}
	text += "python_library_host { name: \"mobly\", srcs: [\"mobly.py\"] }\n"
	// The framework of an app.
	text += java.GatherRequiredDepsForTest()
	files["a.java"] = nil
	files["mobly.py"] = nil

	// TestConfig() puts text there.
	delete(files, "Android.bp")

	buildDir, err = ioutil.TempDir("", "check_bp")
	if err != nil {
		fail("making a folder", []error{err})
	}
	defer os.RemoveAll(buildDir)
	config := cc.TestConfig(buildDir, android.Android, nil, text, files)
	config.TestProductVariables.VendorVars = map[string]map[string]string{
		"storekeeper": {release: "true"},
	}
	ctx := cc.CreateTestContext()
	ctx.RegisterModuleType("aidl_interface", factory(func() interface{} { return &aidlProperties{} }))
	// An app links the Java library that the real one makes.
	ctx.RegisterModuleType("sysprop_library", func() android.Module {
		module := java.LibraryFactory()
		module.AddProperties(&syspropProperties{})
		return module
	})
	java.RegisterJavaBuildComponents(ctx)
	java.RegisterAppBuildComponents(ctx)
	java.RegisterSystemModulesBuildComponents(ctx)
	ctx.RegisterPreSingletonType("overlay",
		android.SingletonFactoryAdaptor(java.OverlaySingletonFactory))
	for name, make := range android.ModuleTypeFactories() {
		if strings.HasPrefix(name, "python_") || name == "sh_test" || name == "prebuilt_etc" ||
			strings.HasPrefix(name, "soong_config_") || name == "cc_benchmark" {
			ctx.RegisterModuleType(name, make)
		}
	}
	ctx.PreDepsMutators(python.RegisterPythonPreDepsMutators)
	ctx.Register(config)
	_, errs := ctx.ParseFileList(".", blueprints)
	fail("parsing", errs)
	_, errs = ctx.PrepareBuildActions(config)
	fail("resolving", errs)
	fmt.Printf("ok    %d files, %s\n", len(blueprints), release)
}
