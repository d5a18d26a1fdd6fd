// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/database.h"

#include <errno.h>
#include <sqlite3.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/atomic_file.h"
#include "base/try.h"

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

// 64 pages, more than a day's rows touch. The default is 2 MiB.
constexpr char kCache[] = "PRAGMA cache_size=-128";

bool IsExternalCause(int code) {
    constexpr int kCodes[] = {SQLITE_FULL,   SQLITE_NOMEM,     SQLITE_BUSY,
                              SQLITE_LOCKED, SQLITE_INTERRUPT, SQLITE_READONLY};
    const int primary = code & 0xff;  // sqlite.org/rescode.html
    return std::find(std::begin(kCodes), std::end(kCodes), primary) != std::end(kCodes);
}

}  // namespace

Database::~Database() {
    Close();
}

// Without this check SQLite would block on a fifo in place of its journal.
Result<void> Database::CheckShape(const std::string& path) {
    const Result<struct stat> of = calls_.Lstat(path);
    if (!of.ok()) return {};
    TRY(CheckPlain(*of, path));
    if (static_cast<uint64_t>(of->st_size) > kMaxReadBytes) {
        return Error() << path << " is longer than " << kMaxReadBytes << " bytes";
    }
    return {};
}

Result<void> Database::Open(const std::string& path) {
    path_ = path;
    blocked_ = false;
    if (Result<void> made = CreatePrivateFile(calls_, path); !made.ok()) {
        blocked_ = !IsUnusable(made.error());
        return made;
    }
    Result<void> opened = Connect();
    if (!opened.ok()) Close();
    return opened;
}

Result<void> Database::Connect() {
    for (const char* suffix : {"", "-wal", "-journal", "-shm"}) TRY(CheckShape(path_ + suffix));
    const struct stat of = TRY(calls_.Lstat(path_));
    device_ = of.st_dev;
    inode_ = of.st_ino;
    const int code = sqlite3_open_v2(path_.c_str(), &connection_,
                                     SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
    if (code != SQLITE_OK) return Failure(code, "open");
    sqlite3_extended_result_codes(connection_, 1);
    // Disables the pool for small allocations (48 KiB), which are rare here.
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_LOOKASIDE, nullptr, 0, 0);
    sqlite3_db_config(connection_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    TRY(Execute("PRAGMA locking_mode=EXCLUSIVE"));
    TRY(Execute(kCache));
    // Android's SQLite overwrites deleted rows by default, which is a needless write.
    return Execute("PRAGMA secure_delete=OFF");
}

bool Database::IsStale() const {
    if (connection_ == nullptr) return false;
    if (sqlite3_db_readonly(connection_, "main") != 0) return true;
    const Result<struct stat> now = calls_.Lstat(path_);
    if (!now.ok()) return now.error().code() == ENOENT;
    return now->st_dev != device_ || now->st_ino != inode_;
}

Result<void> Database::Prepare(uint64_t max_bytes) {
    TRY(Execute("PRAGMA page_size=" + std::to_string(kPageBytes)));
    // Free pages are kept for new rows. Android's default returns them to the file system, and ext4
    // then forgets that their block group is trimmed.
    TRY(Execute("PRAGMA auto_vacuum=NONE"));
    TRY(UseLog());
    // A flush that was reported as done must survive a power cut. This costs one fdatasync of the
    // log per flush.
    TRY(Execute("PRAGMA synchronous=FULL"));
    TRY(Execute("PRAGMA wal_autocheckpoint=" + std::to_string(kLogPages)));
    // Truncates a log that a migration has made long to the size after the largest flush.
    TRY(Execute("PRAGMA journal_size_limit=" + std::to_string(kMaxLogBytes)));
    return Execute("PRAGMA max_page_count=" + std::to_string(max_bytes / kPageBytes));
}

// If SQLite cannot change the mode, it returns the old one without an error.
Result<void> Database::UseLog() {
    Statement change = TRY(Compile("PRAGMA journal_mode=WAL"));
    const std::string mode = TRY(change.Step()) ? change.Bytes(0) : "unknown";
    if (mode != "wal") return Error() << path_ << ": journal mode " << mode << " instead of wal";
    // Run() executes the commit behind the row, which may fail.
    return change.Run();
}

void Database::Close() {
    // No statement is left, because each lives within one call.
    if (connection_ != nullptr) sqlite3_close(connection_);
    connection_ = nullptr;
}

void Database::TakeOver(Database* other) {
    Close();
    path_ = other->path_;
    connection_ = std::exchange(other->connection_, nullptr);
}

Result<void> Database::Execute(const std::string& sql) {
    const int code = sqlite3_exec(connection_, sql.c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) return Failure(code, sql.c_str());
    return {};
}

Result<int64_t> Database::Number(const std::string& sql) {
    Statement statement = TRY(Compile(sql));
    if (!TRY(statement.Step())) return Failure(SQLITE_CORRUPT, sql.c_str());
    return statement.Number(0);
}

Result<Statement> Database::Compile(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v2(connection_, sql.c_str(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
    if (code != SQLITE_OK) return Failure(code, sql.c_str());
    return Statement(this, statement);
}

Result<void> Database::InTransaction(const std::function<Result<void>()>& work) {
    blocked_ = false;
    TRY(Execute("BEGIN IMMEDIATE"));
    Result<void> done = work();
    if (done.ok()) done = Execute("COMMIT");
    // Some failures have already rolled back; the first error is the one to return.
    if (!done.ok()) sqlite3_exec(connection_, "ROLLBACK", nullptr, nullptr, nullptr);
    return done;
}

ResultFailure Database::Failure(int code, const char* doing) {
    blocked_ = blocked_ || IsExternalCause(code);
    const char* what = connection_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection_);
    return {path_ + ": " + what + " (SQLite " + std::to_string(code) + "), at: " + doing, 0};
}

Statement::Statement(Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

Statement::Statement(Statement&& other) noexcept
      : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement::~Statement() {
    // Its result repeats the error of the last Step() and is ignored.
    sqlite3_finalize(statement_);
}

// The result is ignored. A wrong parameter number is a bug that tests find. Lack of memory leaves
// NULL, which NOT NULL columns refuse.
Statement& Statement::Bind(int parameter, int64_t value) {
    sqlite3_bind_int64(statement_, parameter, value);
    return *this;
}

Statement& Statement::BindCount(int parameter, uint64_t value) {
    return Bind(parameter, static_cast<int64_t>(std::min<uint64_t>(value, INT64_MAX)));
}

Statement& Statement::BindCount(int parameter, std::optional<uint64_t> value) {
    if (value.has_value()) return BindCount(parameter, *value);
    sqlite3_bind_null(statement_, parameter);
    return *this;
}

Statement& Statement::BindText(int parameter, std::string_view text) {
    sqlite3_bind_text(statement_, parameter, text.data(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
    return *this;
}

Statement& Statement::BindBlob(int parameter, std::string_view bytes) {
    sqlite3_bind_blob(statement_, parameter, bytes.data(), static_cast<int>(bytes.size()),
                      SQLITE_TRANSIENT);
    return *this;
}

Statement& Statement::BindColumn(int parameter, const Statement& row, int column) {
    sqlite3_bind_value(statement_, parameter, sqlite3_column_value(row.statement_, column));
    return *this;
}

Result<bool> Statement::Step() {
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return database_->Failure(code, sqlite3_sql(statement_));
}

Result<void> Statement::Run() {
    const Result<bool> ran = Step();
    sqlite3_reset(statement_);
    if (!ran.ok()) return android::base::unexpected(ran.error());
    return {};
}

int Statement::ColumnCount() const {
    return sqlite3_column_count(statement_);
}

std::string Statement::ColumnName(int column) const {
    return sqlite3_column_name(statement_, column);
}

int64_t Statement::Number(int column) const {
    return sqlite3_column_int64(statement_, column);
}

uint64_t Statement::Count(int column) const {
    return static_cast<uint64_t>(std::max<int64_t>(Number(column), 0));
}

std::optional<uint64_t> Statement::MaybeCount(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
    return Count(column);
}

std::string Statement::Bytes(int column) const {
    const void* bytes = sqlite3_column_blob(statement_, column);
    if (bytes == nullptr) return {};
    return std::string(static_cast<const char*>(bytes),
                       static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

}  // namespace storekeeper
