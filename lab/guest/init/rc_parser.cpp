// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "rc_parser.h"

#include <android-base/strings.h>

#include <algorithm>

#include "service_options.h"

namespace storekeeper::lab {

using android::base::Error;
using android::base::Join;
using android::base::Result;
using android::base::Split;
using android::base::StartsWith;

namespace {

constexpr std::string_view kPropertyPrefix = "property:";

Result<ServiceConfig> ParseService(const RcStatement& statement, const RcLocation& where,
                                   const RcScript& script) {
    const auto& words = statement.words;
    if (words.size() < 3) return Error() << "a service needs a name and a program";
    ServiceConfig service;
    service.name = words[1];
    service.argv.assign(words.begin() + 2, words.end());
    service.where = where;
    if (!StartsWith(service.argv[0], "/")) {
        return Error() << "service '" << service.name << "': program '" << service.argv[0]
                       << "' is not an absolute path";
    }
    const auto known = std::ranges::find(script.services, service.name, &ServiceConfig::name);
    if (known != script.services.end()) {
        return Error() << "service '" << service.name << "' is already defined at "
                       << known->where.ToString();
    }
    return service;
}

Result<void> AddTrigger(const std::string& word, Action* action) {
    if (!StartsWith(word, kPropertyPrefix)) {
        if (!action->event.empty()) {
            return Error() << "two events, '" << action->event << "' and '" << word
                           << "', in one trigger";
        }
        action->event = word;
        return {};
    }
    const std::string condition = word.substr(kPropertyPrefix.size());
    const size_t equals = condition.find('=');
    if (equals == std::string::npos || equals == 0) {
        return Error() << "property trigger '" << word << "' is not property:name=value";
    }
    const std::string name = condition.substr(0, equals);
    if (!action->properties.emplace(name, condition.substr(equals + 1)).second) {
        return Error() << "property '" << name << "' stands twice in one trigger";
    }
    return {};
}

Result<Action> ParseAction(const RcStatement& statement, const RcLocation& where) {
    const auto& words = statement.words;
    if (words.size() < 2) return Error() << "'on' needs a trigger";
    Action action;
    action.where = where;
    for (size_t i = 1; i < words.size(); ++i) {
        if (i % 2 == 0) {
            if (words[i] != "&&") return Error() << "expected '&&', found '" << words[i] << "'";
            if (i + 1 == words.size()) return Error() << "nothing follows the last '&&'";
        } else if (auto added = AddTrigger(words[i], &action); !added.ok()) {
            return added.error();
        }
    }
    return action;
}

Result<Command> ParseCommand(const RcStatement& statement, const RcLocation& where,
                             std::span<const CommandSyntax> commands) {
    const auto& words = statement.words;
    const auto known = std::ranges::find(commands, words[0], &CommandSyntax::name);
    if (known == commands.end()) return Error() << "unknown command '" << words[0] << "'";
    const size_t args = words.size() - 1;
    if (args < known->min_args || args > known->max_args) {
        return Error() << "'" << words[0] << "' got " << args << " arguments; it takes "
                       << known->min_args << " to " << known->max_args;
    }
    return Command{words[0], {words.begin() + 1, words.end()}, where};
}

/** Feeds statements to the section they belong to. */
class SectionReader {
  public:
    SectionReader(const std::string& file, std::span<const CommandSyntax> commands,
                  RcScript* script)
          : file_(file), commands_(commands), script_(*script) {}

    Result<void> Take(const RcStatement& statement) {
        const RcLocation where{file_, statement.line};
        const std::string& keyword = statement.words[0];
        if (keyword == "service" || keyword == "on" || keyword == "import") {
            section_ = Section::kBroken;
            return Open(keyword, statement, where);
        }
        switch (section_) {
            case Section::kNone:
                return Error() << "'" << keyword << "' stands before any 'service' or 'on'";
            case Section::kBroken:
                return {};
            case Section::kService:
                return TakeOption(statement, where);
            case Section::kAction: {
                auto command = ParseCommand(statement, where, commands_);
                if (!command.ok()) return command.error();
                script_.actions.back().commands.push_back(std::move(*command));
                return {};
            }
        }
        return {};
    }

  private:
    /** kBroken: the section's head was wrong and is reported; what is in it is not read. */
    enum class Section { kNone, kBroken, kService, kAction };

    Result<void> Open(const std::string& keyword, const RcStatement& statement,
                      const RcLocation& where) {
        if (keyword == "import") return Error() << "imports are not interpreted here";
        if (keyword == "service") {
            auto service = ParseService(statement, where, script_);
            if (!service.ok()) return service.error();
            script_.services.push_back(std::move(*service));
            section_ = Section::kService;
        } else {
            auto action = ParseAction(statement, where);
            if (!action.ok()) return action.error();
            script_.actions.push_back(std::move(*action));
            section_ = Section::kAction;
        }
        return {};
    }

    Result<void> TakeOption(const RcStatement& statement, const RcLocation& where) {
        auto note = ApplyServiceOption(statement.words, &script_.services.back());
        if (!note.ok()) return note.error();
        if (!note->empty()) script_.notes.push_back(where.ToString() + ": " + *note);
        return {};
    }

    const std::string& file_;
    std::span<const CommandSyntax> commands_;
    RcScript& script_;
    Section section_ = Section::kNone;
};

}  // namespace

std::string Action::TriggerName() const {
    std::vector<std::string> parts;
    if (!event.empty()) parts.push_back(event);
    for (const auto& [name, value] : properties) {
        parts.push_back(std::string(kPropertyPrefix) + name + "=" + value);
    }
    return Join(parts, " && ");
}

Result<void> RcParser::Parse(const std::string& file, std::string_view text,
                             RcScript* script) const {
    auto statements = SplitStatements(file, text);
    if (!statements.ok()) return statements.error();
    SectionReader reader(file, commands_, script);
    std::vector<std::string> faults;
    for (const RcStatement& statement : *statements) {
        if (auto taken = reader.Take(statement); !taken.ok()) {
            faults.push_back(RcLocation{file, statement.line}.ToString() + ": " +
                             taken.error().message());
        }
    }
    if (!faults.empty()) return Error() << Join(faults, "\n");
    return {};
}

}  // namespace storekeeper::lab
