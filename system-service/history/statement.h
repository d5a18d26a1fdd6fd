// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

    // True when there is a row to read, false at the end.
    android::base::Result<bool> Step();
    // Step() of what answers no rows; then ready for the next.
    android::base::Result<void> Run();

    int64_t Number(int column) const;
    uint64_t Count(int column) const;  // 0 for what is negative
    std::optional<uint64_t> MaybeCount(int column) const;
    std::string Bytes(int column) const;

  private:
    Database* const database_;
    sqlite3_stmt* statement_;
};

}  // namespace storekeeper
