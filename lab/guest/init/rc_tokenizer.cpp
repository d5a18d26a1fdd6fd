// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include <algorithm>

#include "rc_parser.h"

namespace storekeeper::lab {

using android::base::Error;
using android::base::Result;

namespace {

class Tokenizer {
  public:
    Tokenizer(const std::string& file, std::string_view text) : file_(file), text_(text) {}

    Result<std::vector<RcStatement>> Run() {
        if (const size_t zero = text_.find('\0'); zero != std::string_view::npos) {
            const auto line = 1 + std::ranges::count(text_.substr(0, zero), '\n');
            return Error() << file_ << ":" << line << ": a zero byte; is this a text file?";
        }
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') {
                EndStatement();
                NextLine();
            } else if (c == ' ' || c == '\t' || c == '\r') {
                ++at_;
            } else if (c == '#') {
                SkipComment();
            } else if (Continues()) {
                at_ += 2;
                ++line_;
            } else if (auto word = Word(); !word.ok()) {
                return word.error();
            }
        }
        EndStatement();
        return std::move(statements_);
    }

  private:
    bool Continues() const { return text_.substr(at_, 2) == "\\\n"; }

    void NextLine() {
        ++at_;
        ++line_;
    }

    void SkipComment() {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    }

    void EndStatement() {
        if (!current_.words.empty()) statements_.push_back(std::move(current_));
        current_ = {};
    }

    Result<void> Word() {
        if (current_.words.empty()) current_.line = line_;
        std::string word;
        bool quoted = false;
        const int start = line_;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && (c == ' ' || c == '\t' || c == '\r' || c == '\n')) {
                break;
            } else if (c == '\n') {
                break;
            } else if (Continues()) {
                ++at_;
                ++line_;
            } else if (c == '\\' && at_ + 1 < text_.size()) {
                word += Escaped(text_[++at_]);
            } else {
                word += c;
            }
        }
        if (quoted) {
            return Error() << file_ << ":" << start << ": a quote is opened and never closed";
        }
        current_.words.push_back(std::move(word));
        return {};
    }

    static char Escaped(char c) {
        switch (c) {
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            default:
                return c;
        }
    }

    const std::string& file_;
    std::string_view text_;
    size_t at_ = 0;
    int line_ = 1;
    RcStatement current_;
    std::vector<RcStatement> statements_;
};

}  // namespace

Result<std::vector<RcStatement>> SplitStatements(const std::string& file, std::string_view text) {
    return Tokenizer(file, text).Run();
}

}  // namespace storekeeper::lab
