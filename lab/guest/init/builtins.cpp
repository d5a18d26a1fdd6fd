// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "builtins.h"

#include <android-base/file.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <limits>

#include "launcher.h"

namespace storekeeper::lab {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;
using Args = std::vector<std::string>;

namespace {

constexpr size_t kAny = std::numeric_limits<size_t>::max();

// android::base::ParseUint reads decimal and hexadecimal only.
Result<mode_t> ParseMode(const std::string& text) {
    mode_t mode = 0;
    for (const char digit : text) {
        if (digit < '0' || digit > '7') return Error() << "'" << text << "' is not an octal mode";
        mode = mode * 8 + (digit - '0');
        if (mode > 07777) return Error() << "mode '" << text << "' is above 7777";
    }
    if (text.empty()) return Error() << "the mode is empty";
    return mode;
}

Result<void> ChangeOwner(const std::string& path, const std::string& user,
                         const std::string& group) {
    auto uid = DecodeUser(user);
    if (!uid.ok()) return uid.error();
    auto gid = DecodeGroup(group);
    if (!gid.ok()) return gid.error();
    if (lchown(path.c_str(), *uid, *gid) != 0) return ErrnoError() << "chown " << path;
    return {};
}

// fchmodat follows links and Android's init refuses them; chmod through O_NOFOLLOW does both.
Result<void> ChangeMode(const std::string& path, mode_t mode) {
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)));
    if (fd.get() >= 0 ? fchmod(fd.get(), mode) != 0 : chmod(path.c_str(), mode) != 0) {
        return ErrnoError() << "chmod " << path;
    }
    return {};
}

Result<void> DoMkdir(const Args& args, CommandContext&) {
    const std::string& path = args[0];
    auto mode = ParseMode(args.size() > 1 ? args[1] : "0755");
    if (!mode.ok()) return mode.error();
    if (mkdir(path.c_str(), *mode) != 0 && errno != EEXIST) return ErrnoError() << "mkdir " << path;
    if (args.size() > 2) {
        auto owned = ChangeOwner(path, args[2], args.size() > 3 ? args[3] : "root");
        if (!owned.ok()) return owned.error();
    }
    // Again: the umask and chown may have taken bits away.
    return ChangeMode(path, *mode);
}

Result<void> DoChown(const Args& args, CommandContext&) {
    if (args.size() == 2) {
        auto uid = DecodeUser(args[0]);
        if (!uid.ok()) return uid.error();
        if (lchown(args[1].c_str(), *uid, static_cast<gid_t>(-1)) != 0) {
            return ErrnoError() << "chown " << args[1];
        }
        return {};
    }
    return ChangeOwner(args[2], args[0], args[1]);
}

Result<void> DoChmod(const Args& args, CommandContext&) {
    auto mode = ParseMode(args[0]);
    if (!mode.ok()) return mode.error();
    return ChangeMode(args[1], *mode);
}

Result<void> DoWrite(const Args& args, CommandContext&) {
    unique_fd fd(TEMP_FAILURE_RETRY(
            open(args[0].c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600)));
    if (fd.get() < 0) return ErrnoError() << "open " << args[0];
    if (!android::base::WriteStringToFd(args[1], fd)) return ErrnoError() << "write " << args[0];
    return {};
}

Result<void> DoSymlink(const Args& args, CommandContext&) {
    if (symlink(args[0].c_str(), args[1].c_str()) == 0) return {};
    if (errno != EEXIST) return ErrnoError() << "symlink " << args[1];
    std::string target;
    if (!android::base::Readlink(args[1], &target) || target != args[0]) {
        return Error() << "symlink " << args[1] << ": it exists and is not a link to " << args[0];
    }
    return {};
}

Result<void> DoSetprop(const Args& args, CommandContext& context) {
    return context.properties.Set(args[0], args[1]);
}

Result<void> DoLoadPersistent(const Args&, CommandContext& context) {
    if (auto loaded = context.properties.LoadPersistent(); !loaded.ok()) return loaded.error();
    return {};
}

Result<void> DoStart(const Args& args, CommandContext& context) {
    return context.supervisor.Start(args[0], context.now());
}

Result<void> DoStop(const Args& args, CommandContext& context) {
    return context.supervisor.Stop(args[0]);
}

Result<void> DoRestart(const Args& args, CommandContext& context) {
    return context.supervisor.Restart(args[0], context.now());
}

Result<void> DoEnable(const Args& args, CommandContext& context) {
    return context.supervisor.Enable(args[0], context.now());
}

Result<void> DoClassStart(const Args& args, CommandContext& context) {
    context.supervisor.StartClass(args[0], context.now());
    return {};
}

Result<void> DoTrigger(const Args& args, CommandContext& context) {
    context.triggers.QueueEvent(args[0]);
    return {};
}

// exec [SECLABEL [USER [GROUP]...]] -- PROGRAM [ARGUMENT]...
Result<void> DoExec(const Args& args, CommandContext& context) {
    const auto dashes = std::find(args.begin(), args.end(), "--");
    if (dashes == args.end() || dashes + 1 == args.end()) {
        return Error() << "exec needs '-- PROGRAM'";
    }
    ServiceConfig program;
    program.name = "exec " + *(dashes + 1);
    program.argv.assign(dashes + 1, args.end());
    const size_t before = dashes - args.begin();
    if (before > 1) program.user = args[1];
    if (before > 2) program.groups.assign(args.begin() + 2, dashes);
    return context.exec(program);
}

Result<void> DoExecStart(const Args& args, CommandContext& context) {
    return context.exec_start(args[0]);
}

struct Builtin {
    std::string_view name;
    size_t min_args;
    size_t max_args;
    Result<void> (*run)(const Args& args, CommandContext& context);
};

constexpr std::array kBuiltins = {
        Builtin{"chmod", 2, 2, DoChmod},
        Builtin{"chown", 2, 3, DoChown},
        Builtin{"class_start", 1, 1, DoClassStart},
        Builtin{"enable", 1, 1, DoEnable},
        Builtin{"exec", 2, kAny, DoExec},
        Builtin{"exec_start", 1, 1, DoExecStart},
        Builtin{"load_persist_props", 0, 0, DoLoadPersistent},
        // Up to encryption= and key=, which the guest's /data has no use for.
        Builtin{"mkdir", 1, 6, DoMkdir},
        Builtin{"restart", 1, 1, DoRestart},
        Builtin{"setprop", 2, 2, DoSetprop},
        Builtin{"start", 1, 1, DoStart},
        Builtin{"stop", 1, 1, DoStop},
        Builtin{"symlink", 2, 2, DoSymlink},
        Builtin{"trigger", 1, 1, DoTrigger},
        Builtin{"write", 2, 2, DoWrite},
};

constexpr auto kSyntax = [] {
    std::array<CommandSyntax, kBuiltins.size()> syntax{};
    for (size_t i = 0; i < kBuiltins.size(); ++i) {
        syntax[i] = {kBuiltins[i].name, kBuiltins[i].min_args, kBuiltins[i].max_args};
    }
    return syntax;
}();

}  // namespace

std::span<const CommandSyntax> BuiltinSyntax() {
    return kSyntax;
}

Result<void> RunBuiltin(const Command& command, CommandContext& context) {
    const auto builtin = std::ranges::find(kBuiltins, command.name, &Builtin::name);
    if (builtin == kBuiltins.end()) return Error() << "unknown command '" << command.name << "'";
    Args args;
    for (const std::string& word : command.args) {
        auto expanded = ExpandProperties(word, [&](const std::string& name) {
            auto value = context.properties.Get(name);
            return value.ok() ? value->value_or("") : "";
        });
        if (!expanded.ok()) return expanded.error();
        args.push_back(std::move(*expanded));
    }
    // mkdir's encryption= and key= stand behind what matters here.
    std::erase_if(args, [&](const std::string& arg) {
        return command.name == "mkdir" &&
               (arg.starts_with("encryption=") || arg.starts_with("key="));
    });
    return builtin->run(args, context);
}

}  // namespace storekeeper::lab
