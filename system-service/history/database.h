// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/syscalls.h"
#include "base/try.h"

struct sqlite3;
struct sqlite3_stmt;

namespace storekeeper {

class Database;

// A prepared statement of a Database, which must outlive it. Parameters and columns count from 1
// and from 0, as SQLite's do. A binding that fails shows at the next Step().
class Statement {
  public:
    Statement(Database* database, sqlite3_stmt* statement);
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;
    ~Statement();

    Statement& Bind(int parameter, int64_t value);
    // What no signed 64 bits hold becomes the largest that they do.
    Statement& BindCount(int parameter, uint64_t value);
    Statement& BindCount(int parameter, std::optional<uint64_t> value);
    Statement& BindText(int parameter, std::string_view text);
    Statement& BindBlob(int parameter, std::string_view bytes);
    // The value in a column of another statement's row, of whatever type.
    Statement& BindColumn(int parameter, const Statement& row, int column);

    // True when there is a row to read, false at the end.
    android::base::Result<bool> Step();
    // Step() of what answers no rows; then ready for the next.
    android::base::Result<void> Run();

    int ColumnCount() const;
    std::string ColumnName(int column) const;
    int64_t Number(int column) const;
    uint64_t Count(int column) const;  // 0 for what is negative
    std::optional<uint64_t> MaybeCount(int column) const;
    std::string Bytes(int column) const;

  private:
    Database* const database_;
    sqlite3_stmt* statement_;
};

// A connection to an SQLite file, used by one thread at a time. Nobody else may have the file open:
// the connection keeps it locked, which also keeps the index of its write-ahead log out of shared
// memory.
class Database {
  public:
    // Half of what ext4 and f2fs write at least: each commit has the last page of each table again,
    // side by side in the log. A year's largest histograms still fit into one.
    static constexpr int kPageBytes = 2048;
    // Pages in the log that make a commit copy them into the file. A page that changes often is
    // copied once for all its changes.
    static constexpr int kLogPages = 112;
    // What a log frame has beside its page (fileformat2 4.1).
    static constexpr int kFrameBytes = 24;
    static constexpr int kMaxLogBytes = kLogPages * 5 / 4 * (kPageBytes + kFrameBytes);
    // A file or a log that is longer was not written here, and is not opened.
    static constexpr uint64_t kMaxReadBytes = 8 << 20;

    explicit Database(Syscalls& calls) : calls_(calls) {}
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // Creates the file, for us alone, where there is none, but changes nothing of one that is
    // there. The log is read back if it has anything.
    android::base::Result<void> Open(const std::string& path);
    // What is open can be written no more, or is not what stands at the path: opened while the file
    // system was read-only, or of a file system that is gone.
    bool IsStale() const;
    // Makes an empty file one with a log; `max_bytes` is how far any may grow.
    android::base::Result<void> Prepare(uint64_t max_bytes);
    // Leaves the log as it is: the next Open() reads it. Deleting it would free blocks, and ext4
    // then forgets that their group is trimmed.
    void Close();
    bool is_open() const { return connection_ != nullptr; }
    // Takes the connection of `other`, which is closed then. Its file may be renamed meanwhile.
    void TakeOver(Database* other);
    const std::string& path() const { return path_; }

    android::base::Result<void> Execute(const std::string& sql);
    // The first column of the only row.
    android::base::Result<int64_t> Number(const std::string& sql);
    android::base::Result<Statement> Compile(const std::string& sql);
    // All of it or nothing.
    android::base::Result<void> InTransaction(
            const std::function<android::base::Result<void>()>& work);

    // The last transaction, or Open(), met a full or read-only disk, lack of memory or another's
    // lock: the file itself may be as good as it was.
    bool blocked() const { return blocked_; }

    // For Statement: what an SQLite result code means here.
    ResultFailure Failure(int code, const char* doing);

  private:
    android::base::Result<void> TryOpen();
    android::base::Result<void> UseLog();
    android::base::Result<void> CheckShape(const std::string& path);

    Syscalls& calls_;
    std::string path_;
    // Of what is open.
    dev_t device_ = 0;
    ino_t inode_ = 0;
    sqlite3* connection_ = nullptr;
    bool blocked_ = false;
};

}  // namespace storekeeper
