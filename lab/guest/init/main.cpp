// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// lab-init FILE.rc...: the virtual phone's init, from the end of the first stage on.

#include <android-base/file.h>
#include <android-base/strings.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "builtins.h"
#include "guest_log.h"
#include "init.h"
#include "launcher.h"
#include "property_paths.h"
#include "property_store.h"
#include "rc_parser.h"

namespace storekeeper::lab {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;

// The lines here are for the host; see lab/guest/README.md.
constexpr char kControlPort[] = "/dev/ttyS2";
// Property files, the image's first: what a run is given wins, except over ro. properties.
constexpr const char* kPropertyFiles[] = {"/lab/local.prop", "/system/build.prop"};

Result<void> CreatePropertyRoot() {
    auto group = DecodeGroup("system");
    if (!group.ok()) return group.error();
    if (mkdir(kPropertyRoot, 0775) != 0 && errno != EEXIST) {
        return ErrnoError() << "mkdir " << kPropertyRoot;
    }
    if (chown(kPropertyRoot, 0, *group) != 0 || chmod(kPropertyRoot, 0775) != 0) {
        return ErrnoError() << "owner and mode of " << kPropertyRoot;
    }
    return {};
}

Result<void> LoadPropertyFile(const std::string& path, const PropertyStore& properties) {
    std::string text;
    if (!android::base::ReadFileToString(path, &text)) {
        if (errno == ENOENT) return {};
        return ErrnoError() << "read " << path;
    }
    for (const std::string& line : android::base::Split(text, "\n")) {
        const std::string trimmed = android::base::Trim(line);
        if (trimmed.empty() || trimmed[0] == '#') continue;
        const size_t equals = trimmed.find('=');
        if (equals == std::string::npos) return Error() << path << ": no '=' in: " << trimmed;
        const std::string name = trimmed.substr(0, equals);
        auto known = properties.Get(name);
        if (known.ok() && known->has_value()) continue;
        if (auto set = properties.Set(name, trimmed.substr(equals + 1)); !set.ok()) {
            return Error() << path << ": " << set.error().message();
        }
    }
    return {};
}

Result<RcScript> ReadScripts(const std::vector<std::string>& files) {
    RcScript script;
    std::vector<std::string> faults;
    const RcParser parser(BuiltinSyntax());
    for (const std::string& file : files) {
        std::string text;
        if (!android::base::ReadFileToString(file, &text)) {
            faults.push_back((ErrnoError() << file).str());
        } else if (auto parsed = parser.Parse(file, text, &script); !parsed.ok()) {
            faults.push_back(parsed.error().message());
        }
    }
    for (const ServiceConfig& service : script.services) {
        if (auto uid = DecodeUser(service.user); !uid.ok()) {
            faults.push_back(service.where.ToString() + ": " + uid.error().message());
        }
        for (const std::string& group : service.groups) {
            if (auto gid = DecodeGroup(group); !gid.ok()) {
                faults.push_back(service.where.ToString() + ": " + gid.error().message());
            }
        }
    }
    if (!faults.empty()) return Error() << android::base::Join(faults, "\n");
    return script;
}

/** Reports to console and host why this guest does not boot. */
[[noreturn]] void Refuse(const std::string& why, GuestLog& log) {
    std::string lines;
    for (const std::string& line : android::base::Split(why, "\n")) {
        log.Error(line);
        lines += "refused " + line + "\n";
    }
    android::base::unique_fd port(open(kControlPort, O_WRONLY | O_NOCTTY | O_CLOEXEC));
    if (port.get() >= 0) android::base::WriteStringToFd(lines, port);
    SwitchOff(false, log);
}

int Main(const std::vector<std::string>& files) {
    umask(077);
    auto log = GuestLog::Open();
    if (!log.ok()) {
        android::base::WriteStringToFd("lab-init: " + log.error().message() + "\n", STDERR_FILENO);
        return 1;
    }
    if (auto made = CreatePropertyRoot(); !made.ok()) Refuse(made.error().message(), *log);
    const PropertyStore properties(kPropertyRoot, kPersistRoot);
    for (const char* path : kPropertyFiles) {
        if (auto loaded = LoadPropertyFile(path, properties); !loaded.ok()) {
            Refuse(loaded.error().message(), *log);
        }
    }
    auto script = ReadScripts(files);
    if (!script.ok()) Refuse(script.error().message(), *log);
    for (const std::string& note : script->notes) log->Info(note);
    Init init(*script, properties, *log);
    auto ended = init.Run();
    Refuse(ended.error().message(), *log);
}

}  // namespace
}  // namespace storekeeper::lab

int main(int argc, char** argv) {
    return storekeeper::lab::Main({argv + 1, argv + argc});
}
