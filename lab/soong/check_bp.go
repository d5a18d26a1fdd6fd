// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

// check_bp TOP: lets Soong itself read every Android.bp below TOP, look at each property and find
// each module that another one names. Debian's Soong is of Android 11's time: what is younger or a
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
	_ "android/soong/bpf"
	"android/soong/cc"
	_ "android/soong/etc"
	"android/soong/python"
	_ "android/soong/sh"
)

// Modules of other projects of Android.
const standIns = `
cc_defaults { name: "outside", host_supported: true, system_shared_libs: [], stl: "none", nocrt: true }
`

var outsideLibraries = []string{
	"android.hardware.health-V1-ndk", "libbase", "libbinder_ndk", "libjsoncpp",
	"liblog", "libpower", "libsqlite", "libgmock", "libgoogle-benchmark", "libgtest",
	"libgtest_main", "storekeeper_aidl_interface-ndk",
}

// In every file. Nothing else of `package` is used, and anything else is an error.
const youngerPackage = `package {
    default_applicable_licenses: ["storekeeper_license"],
}
`

// A test of the host that needs a device.
const youngerTest = `    test_options: {
        unit_test: false,
    },
`

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

type licenseProperties struct {
	License_kinds []string
	License_text  []string
}

type backend struct{ Enabled *bool }

type aidlProperties struct {
	Unstable          *bool
	Local_include_dir *string
	Srcs              []string
	Backend           struct{ Cpp, Java, Ndk backend }
}

type bpfProperties struct {
	Srcs         []string
	Btf          *bool
	Include_dirs []string
}

var buildDir string

type syspropProperties struct {
	Srcs           []string
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
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: check_bp TOP")
		os.Exit(64)
	}
	top := os.Args[1]
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
			text, err = ioutil.ReadFile(path)
			files[name] = []byte(strings.NewReplacer(
				youngerPackage, "\n\n\n", youngerTest, "").Replace(string(text)))
		}
		return err
	})
	if err != nil {
		fail("reading", []error{err})
	}
	sort.Strings(blueprints)

	text := string(files["Android.bp"]) + standIns
	for _, name := range outsideLibraries {
		text += fmt.Sprintf("cc_library { name: %q, defaults: [\"outside\"] }\n", name)
	}
	text += "python_library_host { name: \"mobly\", srcs: [\"mobly.py\"] }\n"
	files["mobly.py"] = nil

	// TestConfig() puts text there.
	delete(files, "Android.bp")

	buildDir, err = ioutil.TempDir("", "check_bp")
	if err != nil {
		fail("making a folder", []error{err})
	}
	defer os.RemoveAll(buildDir)
	config := cc.TestConfig(buildDir, android.Android, nil, text, files)
	ctx := cc.CreateTestContext()
	ctx.RegisterModuleType("license", factory(func() interface{} { return &licenseProperties{} }))
	ctx.RegisterModuleType("aidl_interface", factory(func() interface{} { return &aidlProperties{} }))
	ctx.RegisterModuleType("sysprop_library",
		factory(func() interface{} { return &syspropProperties{} }))
	ctx.RegisterModuleType("bpf", factory(func() interface{} { return &bpfProperties{} }))
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
	fmt.Printf("ok    %d files\n", len(blueprints))
}
