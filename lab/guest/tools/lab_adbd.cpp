// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project
//
// lab-adbd: what Android's adbd does and Debian's does not. It runs Debian's adbd behind itself,
// with the user that ro.secure, ro.debuggable and service.adb.root ask for, passes all messages on,
// and answers "root:", "unroot:" and "reboot:" itself. Reboots are lab-reboot's: root's, whoever
// asks.
//
// The messages are those of adb's protocol.txt: a header of six little-endian words, a payload.

#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/unique_fd.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "property_paths.h"
#include "property_store.h"

namespace {

using android::base::unique_fd;
using storekeeper::lab::kPersistRoot;
using storekeeper::lab::kPropertyRoot;
using storekeeper::lab::PropertyStore;

constexpr uint16_t kPort = 5555;
constexpr uint16_t kBehind = 5556;
constexpr char kProgram[] = "/system/bin/adbd";
constexpr char kReboot[] = "/system/bin/lab-reboot";
// AOSP's daemon/main.cpp: input, log, adb, sdcard_rw, readproc.
constexpr uid_t kShell = 2000;
constexpr std::array<gid_t, 5> kShellGroups = {1004, 1007, 1011, 1015, 3009};

constexpr uint32_t kOpen = 0x4e45504f;
constexpr uint32_t kOkay = 0x59414b4f;
constexpr uint32_t kClose = 0x45534c43;
constexpr uint32_t kWrite = 0x45545257;
constexpr uint32_t kMaxPayload = 1 << 20;
// adbd numbers its streams from 1 on; these are of the streams that are answered here.
constexpr uint32_t kOwnStreams = 0x40000000;
// With delayed acknowledgement: bytes that a stream may send before the next acknowledgement.
constexpr uint32_t kWindow = 1 << 20;

void Must(bool done, const char* what) {
    if (!done) PLOG(FATAL) << what;
}

std::string Property(const std::string& name) {
    return PropertyStore(kPropertyRoot, kPersistRoot).Get(name).value_or(std::nullopt).value_or("");
}

// AOSP's should_drop_privileges().
bool IsRoot() {
    const std::string root = Property("service.adb.root");
    if (root == "0") return false;
    return Property("ro.secure") == "0" || (Property("ro.debuggable") == "1" && root == "1");
}

unique_fd Connect() {
    const sockaddr_in at{.sin_family = AF_INET,
                         .sin_port = htons(kBehind),
                         .sin_addr = {htonl(INADDR_LOOPBACK)},
                         .sin_zero = {}};
    for (int tries = 0; tries < 500; ++tries) {
        unique_fd fd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        if (connect(fd.get(), reinterpret_cast<const sockaddr*>(&at), sizeof(at)) == 0) return fd;
        usleep(20'000);
    }
    LOG(FATAL) << "adbd does not listen";
    return {};
}

// The adbd behind. Everything that it has started ends with it, as with a service of init's.
class Behind {
  public:
    void Start() {
        const bool root = IsRoot();
        adbd_ = fork();
        Must(adbd_ >= 0, "fork");
        if (adbd_ == 0) RunAdbd(root);
        std::thread([this, pid = adbd_] { Watch(pid); }).detach();
        Connect();
    }

    // Waits until no action is under way.
    unique_fd Open() {
        std::lock_guard<std::mutex> guard(lock_);
        return Connect();
    }

    // Ends adbd, does this and starts adbd anew.
    void Restart(const std::function<void()>& meanwhile) {
        std::lock_guard<std::mutex> guard(lock_);
        adbd_ = 0;
        // After adbd's end this process inherits its children, and later the children's children.
        for (;;) {
            std::string children;
            android::base::ReadFileToString("/proc/self/task/" + std::to_string(getpid()) +
                                                    "/children",
                                            &children);
            if (children.empty()) break;
            for (char* word = strtok(children.data(), " "); word != nullptr;
                 word = strtok(nullptr, " ")) {
                const pid_t child = atoi(word);
                kill(child, SIGKILL);
                waitpid(child, nullptr, 0);
            }
        }
        meanwhile();
        Start();
    }

  private:
    // init starts both anew when adbd has ended by itself.
    void Watch(pid_t pid) {
        // SIGCHLD is ignored: this waits for its end and finds nobody then.
        waitpid(pid, nullptr, 0);
        std::lock_guard<std::mutex> guard(lock_);
        if (adbd_ == pid) LOG(FATAL) << "adbd has ended";
    }

    [[noreturn]] static void RunAdbd(bool root) {
        signal(SIGCHLD, SIG_DFL);
        signal(SIGPIPE, SIG_DFL);
        setenv("ADBD_PORT", std::to_string(kBehind).c_str(), 1);
        if (!root) {
            Must(setgid(kShell) == 0 && setgroups(kShellGroups.size(), kShellGroups.data()) == 0 &&
                         setuid(kShell) == 0,
                 "become shell");
        }
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        execl(kProgram, kProgram, nullptr);
        PLOG(FATAL) << kProgram;
        _exit(127);
    }

    std::mutex lock_;
    pid_t adbd_ = 0;
};

Behind& TheAdbd() {
    static Behind behind;
    return behind;
}

struct Message {
    std::array<uint32_t, 6> header{};
    std::string payload;

    uint32_t command() const { return header[0]; }
    uint32_t sender() const { return header[1]; }
    uint32_t receiver() const { return header[2]; }
};

Message Make(uint32_t command, uint32_t from, uint32_t to, std::string payload) {
    uint32_t sum = 0;
    for (const unsigned char byte : payload) sum += byte;
    const auto size = static_cast<uint32_t>(payload.size());
    return {.header = {command, from, to, size, sum, command ^ 0xffffffff},
            .payload = std::move(payload)};
}

bool Read(int fd, Message* message) {
    if (!android::base::ReadFully(fd, message->header.data(), sizeof(message->header)))
        return false;
    if (message->header[3] > kMaxPayload) return false;
    message->payload.resize(message->header[3]);
    return android::base::ReadFully(fd, message->payload.data(), message->payload.size());
}

bool Write(int fd, const Message& message) {
    return android::base::WriteFully(fd, message.header.data(), sizeof(message.header)) &&
           android::base::WriteFully(fd, message.payload.data(), message.payload.size());
}

// One connection of the host's.
class Connection {
  public:
    explicit Connection(unique_fd host) : host_(std::move(host)), behind_(TheAdbd().Open()) {}

    void Serve() {
        std::thread back([this] {
            Message message;
            while (Read(behind_.get(), &message) && ToHost(message)) {
            }
            // The host hears everything before it hears of the end.
            shutdown(host_.get(), SHUT_WR);
        });
        Message message;
        while (Read(host_.get(), &message)) {
            if (message.command() == kOpen && Answers(message)) continue;
            if (message.command() != kOpen && message.receiver() >= kOwnStreams) {
                Continue(message);
            } else {
                Write(behind_.get(), message);
            }
        }
        shutdown(behind_.get(), SHUT_RDWR);
        back.join();
    }

  private:
    struct Stream {
        uint32_t host = 0;
        std::function<void()> then;  // when the host has the answer
    };

    bool ToHost(const Message& message) {
        std::lock_guard<std::mutex> guard(writing_);
        return Write(host_.get(), message);
    }

    // Answers the services that this proxy handles itself; false for all others.
    bool Answers(const Message& open) {
        const std::string service(open.payload.c_str());
        if (service == "root:") {
            if (IsRoot()) {
                Say(open, "adbd is already running as root\n", {});
            } else if (Property("ro.debuggable") != "1") {
                Say(open, "adbd cannot run as root in production builds\n", {});
            } else {
                Say(open, "restarting adbd as root\n", [] { RestartAs("1"); });
            }
        } else if (service == "unroot:") {
            if (!IsRoot()) {
                Say(open, "adbd not running as root\n", {});
            } else {
                Say(open, "restarting adbd as non root\n", [] { RestartAs("0"); });
            }
        } else if (service.starts_with("reboot:")) {
            // Android's adbd says nothing and is gone with the device.
            Accept(open);
            TheAdbd().Restart(Reboot);
        } else {
            return false;
        }
        return true;
    }

    uint32_t Accept(const Message& open) {
        const uint32_t id = kOwnStreams + ++streams_seen_;
        // arg1 of OPEN is a window with delayed acknowledgement, and OKAY then has one, too.
        std::string window;
        if (open.receiver() != 0) {
            window.assign(reinterpret_cast<const char*>(&kWindow), sizeof(kWindow));
        }
        ToHost(Make(kOkay, id, open.sender(), window));
        return id;
    }

    void Say(const Message& open, const std::string& text, std::function<void()> then) {
        const uint32_t id = Accept(open);
        streams_[id] = {.host = open.sender(), .then = std::move(then)};
        ToHost(Make(kWrite, id, open.sender(), text));
    }

    void Continue(const Message& message) {
        const auto stream = streams_.find(message.receiver());
        if (stream == streams_.end()) return;
        const Stream ended = std::move(stream->second);
        streams_.erase(stream);
        if (message.command() == kOkay) ToHost(Make(kClose, message.receiver(), ended.host, ""));
        if (ended.then) ended.then();
    }

    static void SetRoot(const char* value) {
        auto set = PropertyStore(kPropertyRoot, kPersistRoot).Set("service.adb.root", value);
        if (!set.ok()) LOG(ERROR) << set.error();
    }

    static void RestartAs(const char* root) {
        TheAdbd().Restart([root] { SetRoot(root); });
    }

    static void Reboot() {
        // A boot begins without it.
        SetRoot("");
        // It is waited for by what ignoring SIGCHLD leaves of waitpid(): until it is gone.
        const pid_t pid = fork();
        Must(pid >= 0, "fork");
        if (pid == 0) {
            signal(SIGCHLD, SIG_DFL);
            (void)!chdir("/");
            execl(kReboot, kReboot, nullptr);
            PLOG(FATAL) << kReboot;
        }
        waitpid(pid, nullptr, 0);
    }

    const unique_fd host_;
    const unique_fd behind_;
    std::mutex writing_;
    uint32_t streams_seen_ = 0;
    std::map<uint32_t, Stream> streams_;
};

}  // namespace

int main(int, char** argv) {
    android::base::InitLogging(argv, android::base::StderrLogger);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    signal(SIGCHLD, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    TheAdbd().Start();
    const unique_fd listener(socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const int on = 1;
    setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    const sockaddr_in6 any{.sin6_family = AF_INET6,
                           .sin6_port = htons(kPort),
                           .sin6_flowinfo = 0,
                           .sin6_addr = IN6ADDR_ANY_INIT,
                           .sin6_scope_id = 0};
    Must(bind(listener.get(), reinterpret_cast<const sockaddr*>(&any), sizeof(any)) == 0 &&
                 listen(listener.get(), 8) == 0,
         "listen");
    for (;;) {
        unique_fd host(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (host.get() < 0) continue;
        std::thread([host = std::move(host)]() mutable {
            Connection(std::move(host)).Serve();
        }).detach();
    }
}
