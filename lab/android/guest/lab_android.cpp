// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// lab-android CONTEXTS...: what Android's init and logd give to programs on bionic, in a guest
// whose init is the lab's. CONTEXTS are property_contexts files.
//
// Properties: the lab's store (lab/properties) stays the one truth. Its values are mirrored into
// bionic's areas in /dev/__properties__, one file a context, so that the kernel decides who may
// read them. Requests on /dev/socket/property_service are checked as init checks them and go to the
// store, whose change comes back through inotify; the answer is sent after that. Logs: each line of
// /dev/socket/logdw goes to /run/logcat behind its tag.
//
// Ready, and in the background, when the command returns.

#define _REALLY_INCLUDE_SYS__SYSTEM_PROPERTIES_H_
#include <android-base/file.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <property_info_parser/property_info_parser.h>
#include <property_info_serializer/property_info_serializer.h>
#include <stdio.h>
#include <string.h>
#include <sys/_system_properties.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "property_names.h"
#include "property_paths.h"
#include "property_store.h"

// libselinux; a product's output has no headers.
extern "C" {
int is_selinux_enabled(void);
int setsockcreatecon(const char* context);
int getpeercon(int fd, char** context);
int selinux_check_access(const char* source, const char* target, const char* object_class,
                         const char* permission, void* audit_data);
void freecon(char* context);
}

namespace storekeeper::lab {
namespace {

using android::base::ErrnoError;
using android::base::Error;
using android::base::Result;
using android::base::unique_fd;

constexpr char kAreas[] = "/dev/__properties__";
constexpr char kLog[] = "/run/logcat";
// logd's own limit of a message (LOGGER_ENTRY_MAX_PAYLOAD) and its header.
constexpr size_t kLogMessage = 4068 + 64;
// android_log_header_t: log, thread, seconds and nanoseconds. A byte of priority follows.
constexpr size_t kLogHeader = 1 + 2 + 4 + 4;

Result<void> WriteContexts(int count, char** files) {
    std::vector<android::properties::PropertyInfoEntry> entries;
    for (int i = 0; i < count; ++i) {
        std::string text;
        std::vector<std::string> wrong;
        if (!android::base::ReadFileToString(files[i], &text)) return ErrnoError() << files[i];
        android::properties::ParsePropertyInfoFile(text, false, &entries, &wrong);
        if (!wrong.empty()) return Error() << files[i] << ": " << wrong[0];
    }
    std::string trie;
    std::string error;
    if (!android::properties::BuildTrie(entries, "u:object_r:default_prop:s0", "string", &trie,
                                        &error)) {
        return Error() << "property contexts: " << error;
    }
    const std::string path = std::string(kAreas) + "/property_info";
    mkdir(kAreas, 0711);
    if (!android::base::WriteStringToFile(trie, path, 0444, 0, 0, false)) {
        return ErrnoError() << path;
    }
    if (is_selinux_enabled() > 0) {
        constexpr char kContext[] = "u:object_r:property_info:s0";
        setxattr(path.c_str(), "security.selinux", kContext, sizeof(kContext), 0);
    }
    // Without SELinux it cannot label its files, and says so by its result.
    if (__system_property_area_init() != 0 && is_selinux_enabled() > 0) {
        return Error() << "bionic cannot make its property areas in " << kAreas;
    }
    return {};
}

// `owner` is the domain whose socket it is to the policy; null: this program's.
Result<unique_fd> Listen(const std::string& name, int type, const char* context,
                         const char* owner) {
    const std::string path = "/dev/socket/" + name;
    mkdir("/dev/socket", 0755);
    if (is_selinux_enabled() > 0) setsockcreatecon(owner);
    unique_fd socket(::socket(AF_UNIX, type | SOCK_CLOEXEC, 0));
    sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path.c_str(), sizeof(address.sun_path) - 1);
    if (bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0 ||
        chmod(path.c_str(), 0666) != 0 || (type == SOCK_STREAM && listen(socket.get(), 8) != 0)) {
        return ErrnoError() << path;
    }
    if (is_selinux_enabled() > 0) {
        setxattr(path.c_str(), "security.selinux", context, strlen(context) + 1, 0);
    }
    return socket;
}

// Shows a value of the store to programs on bionic.
void Mirror(const PropertyStore& store, const std::string& name) {
    const auto value = store.Get(name);
    if (!value.ok() || !value->has_value()) return;
    const std::string& text = **value;
    auto* known = const_cast<prop_info*>(__system_property_find(name.c_str()));
    if (known == nullptr) {
        __system_property_add(name.c_str(), name.size(), text.c_str(), text.size());
    } else if (text.size() < PROP_VALUE_MAX) {
        std::array<char, PROP_VALUE_MAX> current = {};
        __system_property_get(name.c_str(), current.data());
        if (text != current.data()) __system_property_update(known, text.c_str(), text.size());
    }
}

std::optional<std::string> Receive(int socket, size_t most) {
    uint32_t size = 0;
    if (recv(socket, &size, sizeof(size), MSG_WAITALL) != sizeof(size) || size > most) return {};
    std::string text(size, '\0');
    // recv() of no bytes waits for the first.
    if (size > 0 && recv(socket, text.data(), size, MSG_WAITALL) != static_cast<ssize_t>(size))
        return {};
    return text;
}

// The kernel's policy decides, as in CheckPermissions() of init's property_service.cpp.
bool MaySet(int client, const std::string& name, const std::string& value) {
    if (is_selinux_enabled() <= 0) return true;
    static android::properties::PropertyInfoAreaFile contexts;
    if (!contexts && !contexts.LoadDefaultPath()) return false;
    // The policy names requests to init ctl.start$NAME.
    const std::string request = name.starts_with("ctl.") ? name + "$" + value : name;
    const char* target = nullptr;
    const char* type = nullptr;
    contexts->GetPropertyInfo(request.c_str(), &target, &type);
    char* source = nullptr;
    if (target == nullptr || getpeercon(client, &source) != 0) return false;
    const bool may = selinux_check_access(source, target, "property_service", "set", nullptr) == 0;
    if (!may) {
        // init's words, by which the denial is found in the kernel's log.
        const std::string said = "<5>avc:  denied  { set } for property=" + request +
                                 " scontext=" + source + " tcontext=" + target +
                                 " tclass=property_service\n";
        android::base::WriteStringToFile(said, "/dev/kmsg");
    }
    freecon(source);
    return may;
}

void Serve(const PropertyStore& store, int socket) {
    const unique_fd client(accept4(socket, nullptr, nullptr, SOCK_CLOEXEC));
    const timeval patience = {.tv_sec = 2};
    setsockopt(client.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    uint32_t command = 0;
    if (recv(client.get(), &command, sizeof(command), MSG_WAITALL) != sizeof(command) ||
        command != PROP_MSG_SETPROP2) {
        return;
    }
    const auto name = Receive(client.get(), 4096);
    const auto value = Receive(client.get(), 0xffff);
    if (!name || !value) return;
    uint32_t answer = PROP_ERROR_PERMISSION_DENIED;
    if (MaySet(client.get(), *name, *value)) {
        answer = store.Set(*name, *value).ok() ? PROP_SUCCESS : PROP_ERROR_SET_FAILED;
        Mirror(store, *name);
    }
    send(client.get(), &answer, sizeof(answer), MSG_NOSIGNAL);
}

void Log(int socket, int to) {
    std::array<char, kLogMessage> message = {};
    const ssize_t size = recv(socket, message.data(), message.size() - 1, 0);
    if (size <= static_cast<ssize_t>(kLogHeader) + 1) return;
    const char* tag = message.data() + kLogHeader + 1;
    const size_t length = strnlen(tag, static_cast<size_t>(size) - kLogHeader - 1);
    if (tag + length + 1 >= message.data() + size) return;
    std::string lines;
    for (const std::string& line : android::base::Split(tag + length + 1, "\n")) {
        if (!line.empty()) lines += std::string(tag) + ": " + line + "\n";
    }
    android::base::WriteStringToFd(lines, to);
}

Result<void> Start(int count, char** files) {
    umask(0);
    mkdir(kPropertyRoot, 0775);
    const PropertyStore store(kPropertyRoot, kPersistRoot);
    auto contexts = WriteContexts(count, files);
    if (!contexts.ok()) return contexts;
    auto properties =
            Listen("property_service", SOCK_STREAM, "u:object_r:property_socket:s0", nullptr);
    if (!properties.ok()) return Error() << properties.error();
    auto logs = Listen("logdw", SOCK_DGRAM, "u:object_r:logdw_socket:s0", "u:r:logd:s0");
    if (!logs.ok()) return Error() << logs.error();
    const unique_fd log(open(kLog, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
    auto watch = store.Watch();
    if (!watch.ok()) return Error() << watch.error();
    __system_property_add("ro.property_service.version", 27, "2", 1);
    if (daemon(0, 0) != 0) return ErrnoError() << "daemon";
    std::array<pollfd, 3> fds = {{{.fd = watch->fd(), .events = POLLIN, .revents = 0},
                                  {.fd = properties->get(), .events = POLLIN, .revents = 0},
                                  {.fd = logs->get(), .events = POLLIN, .revents = 0}}};
    while (TEMP_FAILURE_RETRY(poll(fds.data(), fds.size(), -1)) > 0) {
        if (fds[0].revents != 0) {
            if (const auto changes = watch->Read(); changes.ok()) {
                for (const std::string& name : changes->names) Mirror(store, name);
            }
        }
        if (fds[1].revents != 0) Serve(store, properties->get());
        if (fds[2].revents != 0) Log(logs->get(), log.get());
    }
    return ErrnoError() << "poll";
}

}  // namespace
}  // namespace storekeeper::lab

int main(int argc, char** argv) {
    const auto ended = storekeeper::lab::Start(argc - 1, argv + 1);
    fprintf(stderr, "lab-android: %s\n", ended.error().message().c_str());
    return 1;
}
