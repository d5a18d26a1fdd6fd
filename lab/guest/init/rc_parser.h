// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rc_script.h"

namespace storekeeper::lab {

/** A command that an action may call. The parser checks only its name and argument count. */
struct CommandSyntax {
    std::string_view name;
    size_t min_args;
    size_t max_args;
};

/**
 * Reads the part of Android's init language that this guest interprets
 * (system/core/init/README.md). What it does not know is an error, never skipped.
 */
class RcParser {
  public:
    explicit RcParser(std::span<const CommandSyntax> commands) : commands_(commands) {}

    /**
     * Adds the sections of one file to `script`. The error holds one line for each fault, each
     * beginning with file:line.
     */
    android::base::Result<void> Parse(const std::string& file, std::string_view text,
                                      RcScript* script) const;

  private:
    std::span<const CommandSyntax> commands_;
};

/** One statement: its words and the line it begins on. */
struct RcStatement {
    int line = 0;
    std::vector<std::string> words;
};

/**
 * Splits text into statements: words by blanks, "quoted words", \n \r \t \\ escapes, a backslash at
 * the end of a line continues it, # starts a comment where a word could start.
 */
android::base::Result<std::vector<RcStatement>> SplitStatements(const std::string& file,
                                                                std::string_view text);

}  // namespace storekeeper::lab
