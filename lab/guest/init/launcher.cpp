// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "launcher.h"

#include <android-base/file.h>
#include <android-base/parseint.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/securebits.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>

#include "capabilities.h"

namespace storekeeper::lab {

using android::base::ErrnoError;
using android::base::Error;
using android::base::ParseUint;
using android::base::Result;
using android::base::unique_fd;

namespace {

// linux/ioprio.h is no user-space header in every release: the class is above 13 bits of level.
constexpr int kIoPriorityClassShift = 13;
constexpr int kIoPriorityWhoProcess = 1;

/** Everything looked up before fork, so that the child only makes system calls. */
struct Plan {
    uid_t uid = 0;
    gid_t gid = 0;
    std::vector<gid_t> groups;
    std::vector<std::string> environment;
    std::vector<char*> argv;
    std::vector<char*> envp;
};

/** The message of a failing child over the status pipe. */
struct ChildFailure {
    int error;
    char step[28];
};

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
    std::vector<char*> pointers;
    for (const std::string& s : strings) pointers.push_back(const_cast<char*>(s.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

Result<Plan> MakePlan(const ServiceConfig& service) {
    Plan plan;
    auto uid = DecodeUser(service.user);
    if (!uid.ok()) return uid.error();
    plan.uid = *uid;
    for (size_t i = 0; i < service.groups.size(); ++i) {
        auto gid = DecodeGroup(service.groups[i]);
        if (!gid.ok()) return gid.error();
        if (i == 0) {
            plan.gid = *gid;
        } else {
            plan.groups.push_back(*gid);
        }
    }
    std::map<std::string, std::string> environment = service.environment;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string text = *entry;
        const size_t equals = text.find('=');
        if (equals != std::string::npos) {
            environment.emplace(text.substr(0, equals), text.substr(equals + 1));
        }
    }
    for (const auto& [name, value] : environment) plan.environment.push_back(name + "=" + value);
    plan.argv = Pointers(service.argv);
    plan.envp = Pointers(plan.environment);
    return plan;
}

int Checked(int result) {
    return result == 0 ? 0 : errno;
}

int KeepCapabilitiesOverSetuid() {
    const int bits = prctl(PR_GET_SECUREBITS);
    if (bits < 0) return errno;
    return Checked(
            prctl(PR_SET_SECUREBITS, bits | SECBIT_KEEP_CAPS | SECBIT_KEEP_CAPS_LOCKED, 0, 0, 0));
}

int SetIoPriorityOfSelf(const IoPriority& priority) {
    const int value =
            (static_cast<int>(priority.io_class) << kIoPriorityClassShift) | priority.level;
    return syscall(SYS_ioprio_set, kIoPriorityWhoProcess, 0, value) == 0 ? 0 : errno;
}

// setexeccon() of libselinux; nothing without a policy.
int SetContextOfExec(const std::string& context) {
    if (access("/sys/fs/selinux/enforce", F_OK) != 0) return 0;
    const int attribute = open("/proc/self/attr/exec", O_WRONLY | O_CLOEXEC);
    if (attribute < 0) return errno;
    const bool written = write(attribute, context.data(), context.size()) > 0;
    return Checked(written ? 0 : -1);
}

[[noreturn]] void FailChild(int status, const char* step, int error) {
    ChildFailure failure{error, {}};
    strncpy(failure.step, step, sizeof(failure.step) - 1);
    (void)!write(status, &failure, sizeof(failure));
    _exit(127);
}

/** Between fork and exec: system calls only. */
[[noreturn]] void RunChild(const ServiceConfig& service, const Plan& plan, int output, int status) {
    const auto check = [status](const char* step, int error) {
        if (error != 0) FailChild(status, step, error);
    };
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    setsid();
    const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || dup2(null, STDIN_FILENO) < 0) FailChild(status, "opening /dev/null", errno);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0) {
        FailChild(status, "its output", errno);
    }
    if (service.io_priority) check("ioprio", SetIoPriorityOfSelf(*service.io_priority));
    if (service.nice) check("priority", Checked(setpriority(PRIO_PROCESS, 0, *service.nice)));
    if (service.capabilities && plan.uid != 0) check("securebits", KeepCapabilitiesOverSetuid());
    if (!service.seclabel.empty()) check("seclabel", SetContextOfExec(service.seclabel));
    check("group", Checked(setgid(plan.gid)));
    check("groups", Checked(setgroups(plan.groups.size(), plan.groups.data())));
    check("user", Checked(setuid(plan.uid)));
    if (service.capabilities) {
        check("capabilities", KeepCapabilitiesOverExec(*service.capabilities));
    } else if (plan.uid != 0) {
        check("capabilities", DropInheritableCapabilities());
    }
    execve(plan.argv[0], plan.argv.data(), plan.envp.data());
    FailChild(status, "executing it", errno);
}

template <typename Entry>
Result<unsigned> Decode(const std::string& name, const char* kind, const char* file, Entry* entry,
                        unsigned Entry::*id) {
    if (entry != nullptr) return entry->*id;
    unsigned number = 0;
    if (ParseUint(name, &number)) return number;
    return Error() << "no " << kind << " '" << name << "' in " << file;
}

}  // namespace

Result<uid_t> DecodeUser(const std::string& name) {
    return Decode(name, "user", "/etc/passwd", getpwnam(name.c_str()), &passwd::pw_uid);
}

Result<gid_t> DecodeGroup(const std::string& name) {
    return Decode(name, "group", "/etc/group", getgrnam(name.c_str()), &group::gr_gid);
}

Result<LaunchedProcess> LaunchService(const ServiceConfig& service) {
    auto plan = MakePlan(service);
    if (!plan.ok()) return plan.error();
    unique_fd output, output_end, status, status_end;
    if (!android::base::Pipe(&output, &output_end, O_CLOEXEC | O_NONBLOCK) ||
        !android::base::Pipe(&status, &status_end, O_CLOEXEC)) {
        return ErrnoError() << "pipe for " << service.argv[0];
    }
    // Only the reading end may not block: a program expects a blocking standard output.
    if (fcntl(output_end.get(), F_SETFL, O_WRONLY) != 0) return ErrnoError() << "pipe flags";
    const pid_t pid = fork();
    if (pid < 0) return ErrnoError() << "fork for " << service.argv[0];
    if (pid == 0) RunChild(service, *plan, output_end.get(), status_end.get());
    status_end.reset();
    ChildFailure failure{};
    // The pipe closes by itself when exec succeeds.
    if (TEMP_FAILURE_RETRY(read(status.get(), &failure, sizeof(failure))) == sizeof(failure)) {
        TEMP_FAILURE_RETRY(waitpid(pid, nullptr, 0));
        return Error() << service.argv[0] << ": " << failure.step << ": "
                       << strerror(failure.error);
    }
    return LaunchedProcess{pid, std::move(output)};
}

}  // namespace storekeeper::lab
