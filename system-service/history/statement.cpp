// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "history/statement.h"

#include <sqlite3.h>

#include <algorithm>
#include <utility>

#include "history/database.h"

namespace storekeeper {

using android::base::Result;

Statement::Statement(Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

Statement::Statement(Statement&& other) noexcept
      : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)) {}

Statement::~Statement() {
    // Repeats the error of the last Step(), if there was one.
    sqlite3_finalize(statement_);
}

// A parameter that does not exist would be a mistake of the caller, which its tests would meet;
// lack of memory, the other failure, leaves NULL, which NOT NULL columns refuse.
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
