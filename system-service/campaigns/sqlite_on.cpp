// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "campaigns/sqlite_on.h"

#include <android-base/file.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <string>

#include "base/atomic_file.h"

namespace storekeeper {
namespace {

using android::base::Result;
using android::base::unique_fd;

constexpr char kName[] = "storekeeper-calls";

thread_local Syscalls* g_calls = nullptr;
thread_local bool g_trust_log = false;

struct File : sqlite3_file {
    unique_fd fd;
    std::string path;
    bool sync_folder = false;
    bool is_log = false;
};

int Code(const ResultFailure& failure, int otherwise) {
    return failure.code() == ENOSPC ? SQLITE_FULL : otherwise;
}

// The log's format is fileformat2 4.1. Words are big endian; checksums are over words in the byte
// order that the magic number names.
constexpr size_t kLogHeader = 32;
constexpr size_t kFrameHeader = 24;

uint32_t Word(const std::string& bytes, size_t at, bool big) {
    uint32_t word = 0;
    for (size_t i = 0; i < 4; ++i) {
        const auto byte = static_cast<unsigned char>(bytes[at + (big ? i : 3 - i)]);
        word = word << 8 | byte;
    }
    return word;
}

void PutWord(std::string* bytes, size_t at, uint32_t word) {
    for (size_t i = 0; i < 4; ++i) (*bytes)[at + i] = static_cast<char>(word >> (24 - 8 * i));
}

struct LogSum {
    uint32_t first = 0;
    uint32_t second = 0;

    void Add(const std::string& bytes, size_t from, size_t size, bool big) {
        for (size_t at = from; at < from + size; at += 8) {
            first += Word(bytes, at, big) + second;
            second += Word(bytes, at + 4, big) + first;
        }
    }
};

// Corrects the checksums, so that SQLite accepts any frame.
void MakeSumsRight(std::string* log) {
    if (log->size() < kLogHeader) return;
    const bool big = (Word(*log, 0, true) & 1) != 0;
    const size_t page = Word(*log, 8, true);
    if (page < 512 || page > 65536) return;
    LogSum sum;
    sum.Add(*log, 0, 24, big);
    for (size_t at = kLogHeader; at + kFrameHeader + page <= log->size();
         at += kFrameHeader + page) {
        sum.Add(*log, at, 8, big);
        sum.Add(*log, at + kFrameHeader, page, big);
        PutWord(log, at + 16, sum.first);
        PutWord(log, at + 20, sum.second);
    }
}

int Close(sqlite3_file* file) {
    static_cast<File*>(file)->~File();
    return SQLITE_OK;
}

int Read(sqlite3_file* base, void* buffer, int size, sqlite3_int64 offset) {
    File& file = *static_cast<File*>(base);
    char* to = static_cast<char*>(buffer);
    size_t done = 0;
    if (g_trust_log && file.is_log) {
        Result<std::string> log = ReadStateFile(*g_calls, file.path, 8 << 20);
        if (!log.ok()) return SQLITE_IOERR_READ;
        MakeSumsRight(&*log);
        const size_t from = std::min(log->size(), static_cast<size_t>(offset));
        done = std::min(static_cast<size_t>(size), log->size() - from);
        memcpy(to, log->data() + from, done);
    }
    while (done < static_cast<size_t>(size)) {
        const Result<size_t> count =
                g_calls->Pread(file.fd, to + done, static_cast<size_t>(size) - done,
                               static_cast<off_t>(offset) + static_cast<off_t>(done));
        if (!count.ok()) return SQLITE_IOERR_READ;
        if (*count == 0) {
            memset(to + done, 0, static_cast<size_t>(size) - done);
            return SQLITE_IOERR_SHORT_READ;
        }
        done += *count;
    }
    return SQLITE_OK;
}

int Write(sqlite3_file* base, const void* buffer, int size, sqlite3_int64 offset) {
    File& file = *static_cast<File*>(base);
    const std::string_view text(static_cast<const char*>(buffer), static_cast<size_t>(size));
    const Result<void> written =
            WriteFullyAt(*g_calls, file.fd, text, static_cast<off_t>(offset), file.path);
    return written.ok() ? SQLITE_OK : Code(written.error(), SQLITE_IOERR_WRITE);
}

int Truncate(sqlite3_file* base, sqlite3_int64 size) {
    const Result<void> cut =
            g_calls->Ftruncate(static_cast<File*>(base)->fd, static_cast<off_t>(size));
    return cut.ok() ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

int Sync(sqlite3_file* base, int) {
    File& file = *static_cast<File*>(base);
    if (!g_calls->Fdatasync(file.fd).ok()) return SQLITE_IOERR_FSYNC;
    if (!file.sync_folder) return SQLITE_OK;
    // SQLite's own VFS ignores a failure here, too.
    static_cast<void>(SyncDirectoryOf(*g_calls, file.path));
    file.sync_folder = false;
    return SQLITE_OK;
}

int FileSize(sqlite3_file* base, sqlite3_int64* size) {
    const Result<struct stat> of = g_calls->Fstat(static_cast<File*>(base)->fd);
    if (!of.ok()) return SQLITE_IOERR_FSTAT;
    *size = of->st_size;
    return SQLITE_OK;
}

int Lock(sqlite3_file*, int) {
    return SQLITE_OK;
}

int CheckReservedLock(sqlite3_file*, int* reserved) {
    *reserved = 0;
    return SQLITE_OK;
}

int FileControl(sqlite3_file*, int, void*) {
    return SQLITE_NOTFOUND;
}

// The values of SQLite's own VFS.
int SectorSize(sqlite3_file*) {
    return 4096;
}

int DeviceCharacteristics(sqlite3_file*) {
    return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

constexpr sqlite3_io_methods kMethods = {.iVersion = 1,
                                         .xClose = Close,
                                         .xRead = Read,
                                         .xWrite = Write,
                                         .xTruncate = Truncate,
                                         .xSync = Sync,
                                         .xFileSize = FileSize,
                                         .xLock = Lock,
                                         .xUnlock = Lock,
                                         .xCheckReservedLock = CheckReservedLock,
                                         .xFileControl = FileControl,
                                         .xSectorSize = SectorSize,
                                         .xDeviceCharacteristics = DeviceCharacteristics};

int OpenFile(sqlite3_vfs*, const char* name, sqlite3_file* base, int flags, int* out_flags) {
    base->pMethods = nullptr;
    if (g_calls == nullptr || name == nullptr) return SQLITE_CANTOPEN;
    const bool create = (flags & SQLITE_OPEN_CREATE) != 0;
    Result<unique_fd> fd = g_calls->Open(name, O_RDWR | (create ? O_CREAT : 0));
    if (!fd.ok()) return SQLITE_CANTOPEN;
    File* file = new (base) File();
    file->pMethods = &kMethods;
    file->fd = std::move(*fd);
    file->path = name;
    file->is_log = (flags & SQLITE_OPEN_WAL) != 0;
    file->sync_folder = create && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    if (out_flags != nullptr) *out_flags = flags;
    return SQLITE_OK;
}

int Delete(sqlite3_vfs*, const char* name, int sync_folder) {
    const Result<void> removed = g_calls->Remove(name);
    if (!removed.ok()) {
        return removed.error().code() == ENOENT ? SQLITE_IOERR_DELETE_NOENT : SQLITE_IOERR_DELETE;
    }
    if (sync_folder != 0 && !SyncDirectoryOf(*g_calls, name).ok()) return SQLITE_IOERR_DIR_FSYNC;
    return SQLITE_OK;
}

int Access(sqlite3_vfs*, const char* name, int, int* answer) {
    const Result<struct stat> of = g_calls->Lstat(name);
    *answer = of.ok() ? 1 : 0;
    return of.ok() || of.error().code() == ENOENT ? SQLITE_OK : SQLITE_IOERR_ACCESS;
}

int FullPathname(sqlite3_vfs*, const char* name, int size, char* full) {
    if (strlen(name) >= static_cast<size_t>(size)) return SQLITE_CANTOPEN;
    strncpy(full, name, static_cast<size_t>(size));
    return SQLITE_OK;
}

// The bytes are the same in each run.
int Randomness(sqlite3_vfs*, int size, char* bytes) {
    for (int i = 0; i < size; ++i) bytes[i] = static_cast<char>(i * 37 + 11);
    return size;
}

int Sleep(sqlite3_vfs*, int microseconds) {
    return microseconds;
}

int CurrentTime(sqlite3_vfs*, double* days) {
    *days = 2461042.0;  // 2026-01-01
    return SQLITE_OK;
}

int GetLastError(sqlite3_vfs*, int, char*) {
    return 0;
}

sqlite3_vfs g_vfs = {.iVersion = 1,
                     .szOsFile = sizeof(File),
                     .mxPathname = 512,
                     .zName = kName,
                     .xOpen = OpenFile,
                     .xDelete = Delete,
                     .xAccess = Access,
                     .xFullPathname = FullPathname,
                     .xRandomness = Randomness,
                     .xSleep = Sleep,
                     .xCurrentTime = CurrentTime,
                     .xGetLastError = GetLastError};

std::mutex g_lock;
int g_users = 0;

}  // namespace

SqliteOn::SqliteOn(ScenarioDisk& disk, bool trust_log) : installed_(disk.TakesSqlite()) {
    if (!installed_) return;
    g_calls = &disk;
    g_trust_log = trust_log;
    const std::lock_guard guard(g_lock);
    if (g_users++ == 0) sqlite3_vfs_register(&g_vfs, /*makeDflt=*/1);
}

SqliteOn::~SqliteOn() {
    if (!installed_) return;
    g_calls = nullptr;
    const std::lock_guard guard(g_lock);
    if (--g_users == 0) sqlite3_vfs_unregister(&g_vfs);
}

}  // namespace storekeeper
