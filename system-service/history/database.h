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

// A prepared statement of a Database, which must outlive it. As in SQLite, parameters count from 1
// and columns from 0. A failed binding shows at the next Step().
class Statement {
  public:
    Statement(Database* database, sqlite3_stmt* statement);
    Statement(Statement&& other) noexcept;
    Statement& operator=(Statement&&) = delete;
    ~Statement();

    Statement& Bind(int parameter, int64_t value);
    // A value above INT64_MAX becomes INT64_MAX.
    Statement& BindCount(int parameter, uint64_t value);
    Statement& BindCount(int parameter, std::optional<uint64_t> value);
    Statement& BindText(int parameter, std::string_view text);
    Statement& BindBlob(int parameter, std::string_view bytes);
    // Binds a column of another statement's row, of any type.
    Statement& BindColumn(int parameter, const Statement& row, int column);

    // Returns true if there is a row to read, false at the end.
    android::base::Result<bool> Step();
    // Executes a statement without result rows and resets it for the next use.
    android::base::Result<void> Run();

    int ColumnCount() const;
    std::string ColumnName(int column) const;
    int64_t Number(int column) const;
    uint64_t Count(int column) const;  // a negative value becomes 0
    std::optional<uint64_t> MaybeCount(int column) const;
    std::string Bytes(int column) const;

  private:
    Database* const database_;
    sqlite3_stmt* statement_;
};

// A connection to an SQLite file, for one thread at a time. It locks the file exclusively, so no
// other process can open it. The lock also keeps the index of the write-ahead log out of shared
// memory.
class Database {
  public:
    // Half the smallest write of ext4 and f2fs. Each commit appends the last page of each table to
    // the log again, side by side. A year's largest histograms still fit into one page.
    static constexpr int kPageBytes = 2048;
    // Length of the log in pages at which a commit copies it into the file. A page that changes
    // often is copied once for all its changes.
    static constexpr int kLogPages = 112;
    // Header size of a log frame (fileformat2 4.1).
    static constexpr int kFrameBytes = 24;
    static constexpr int kMaxLogBytes = kLogPages * 5 / 4 * (kPageBytes + kFrameBytes);
    // A longer file or log is foreign and is not opened.
    static constexpr uint64_t kMaxReadBytes = 8 << 20;

    explicit Database(Syscalls& calls) : calls_(calls) {}
    ~Database();
    Database(const Database&) = delete;
    Database& operator=(const Database&) = delete;

    // Creates the file with mode 0600 if it is absent. An existing file is not changed. Replays the
    // log if it has entries.
    android::base::Result<void> Open(const std::string& path);
    // True if the open file is read-only or no longer the one at the path, for example because the
    // file system was read-only at Open() or has been unmounted.
    bool IsStale() const;
    // Sets page size, log and limits; an empty file gets a log. `max_bytes` limits the size of the
    // file.
    android::base::Result<void> Prepare(uint64_t max_bytes);
    // Keeps the log, which the next Open() reads. Deleting it would free blocks, and ext4 would
    // then forget that their group is trimmed.
    void Close();
    bool is_open() const { return connection_ != nullptr; }
    // Moves the connection out of `other`, which is closed afterwards. Its file may be renamed.
    void TakeOver(Database* other);
    const std::string& path() const { return path_; }

    android::base::Result<void> Execute(const std::string& sql);
    // The first column of the only result row.
    android::base::Result<int64_t> Number(const std::string& sql);
    android::base::Result<Statement> Compile(const std::string& sql);
    // Commits all of `work` or nothing.
    android::base::Result<void> InTransaction(
            const std::function<android::base::Result<void>()>& work);

    // True if the last transaction or Open() failed for an external reason: a full or read-only
    // disk, lack of memory, or a lock. The file itself may be intact.
    bool blocked() const { return blocked_; }

    // Turns an SQLite result code into an error; Statement uses it as well.
    ResultFailure Failure(int code, const char* doing);

  private:
    android::base::Result<void> Connect();
    android::base::Result<void> UseLog();
    android::base::Result<void> CheckShape(const std::string& path);

    Syscalls& calls_;
    std::string path_;
    // Identity of the open file.
    dev_t device_ = 0;
    ino_t inode_ = 0;
    sqlite3* connection_ = nullptr;
    bool blocked_ = false;
};

}  // namespace storekeeper
