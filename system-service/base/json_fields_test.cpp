// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/json_fields.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace storekeeper {
namespace {

enum class Colour { kRed, kGreen, kBlue };

std::string NameOf(Colour colour) {
    constexpr const char* kNames[] = {"red", "green", "blue"};
    return kNames[static_cast<size_t>(colour)];
}

struct Leaf {
    int64_t depth = 0;
    std::optional<std::chrono::nanoseconds> took;
};

void Fields(JsonFields& json, Leaf& leaf) {
    json("depth", leaf.depth);
    json.In<std::chrono::microseconds>("took_us", leaf.took);
}

struct Tree {
    bool tall = false;
    uint32_t age = 0;
    uint64_t rings = 0;
    std::string name;
    std::chrono::seconds planted{};
    Colour colour = Colour::kRed;
    std::optional<uint64_t> height;
    std::vector<Leaf> leaves;
    std::map<std::string, int64_t> nests;
    std::string owner = "nobody";
};

void Fields(JsonFields& json, Tree& tree) {
    json("tall", tree.tall);
    json("age", tree.age);
    json("rings", tree.rings);
    json("name", tree.name);
    json("planted_s", tree.planted);
    json.Name("colour", tree.colour, Colour::kBlue);
    json("height", tree.height);
    json("leaves", tree.leaves);
    json("nests", tree.nests);
    json("owner", tree.owner, JsonFields::Key::kIfThere);
    json("landlord", tree.owner, JsonFields::Key::kOld);
    json.Derived("leaf_count", Json::UInt64{tree.leaves.size()});
}

constexpr char kOak[] =
        R"({"age":4294967295,"colour":"blue","height":null,"leaf_count":2,"leaves":[)"
        R"({"depth":-3,"took_us":1500},{"depth":4,"took_us":null}],"name":"oak \"1\"",)"
        R"("nests":{"jay":-1,"owl":2},)"
        R"("owner":"me","planted_s":7,"rings":18446744073709551615,"tall":true})";

std::string With(std::string text, const std::string& part, const std::string& instead) {
    const size_t at = text.find(part);
    EXPECT_NE(std::string::npos, at) << part;
    return text.replace(at, part.size(), instead);
}

TEST(JsonFieldsTest, AnObjectIsWrittenAsItWasRead) {
    const auto oak = ParseFields<Tree>(kOak);
    ASSERT_TRUE(oak.ok()) << oak.error();
    EXPECT_EQ(kOak, WriteFields(*oak));
    EXPECT_EQ(std::chrono::microseconds(1500), oak->leaves[0].took);
    EXPECT_EQ(std::nullopt, oak->leaves[1].took);
}

TEST(JsonFieldsTest, AKeyOfAnotherVersionIsReadNotWritten) {
    EXPECT_EQ("nobody", ParseFields<Tree>(With(kOak, "\"owner\"", "\"new\""))->owner);
    const auto old = ParseFields<Tree>(With(kOak, "\"owner\"", "\"landlord\""));
    ASSERT_TRUE(old.ok()) << old.error();
    EXPECT_EQ(kOak, WriteFields(*old));
}

TEST(JsonFieldsTest, AnErrorNamesTheFirstWrongKey) {
    const std::string has = " has another type or is out of range";
    const std::string cases[][3] = {
            {"\"tall\":true", "\"tall\":1", "its tall" + has},
            {"4294967295", "4294967296", "its age" + has},
            {"4294967295", "1e3", "its age" + has},
            {"4294967295", "-1", "its age" + has},
            {"\"age\"", "\"aged\"", "its age is missing"},
            {"18446744073709551615", "18446744073709551616", "its rings" + has},
            {"18446744073709551615", "8.0", "its rings" + has},
            {"\"oak \\\"1\\\"\"", "7", "its name" + has},
            {"\"planted_s\":7", "\"planted_s\":-1", "its planted_s" + has},
            {"\"planted_s\":7", "\"planted_s\":4611686019", "its planted_s" + has},
            {"\"planted_s\":7", "\"planted_s\":null", "its planted_s" + has},
            {"blue", "mauve", "its colour is not known"},
            {"\"height\":null", "\"height\":\"7\"", "its height" + has},
            {"[{", "{\"x\":[{", "it is not JSON"},
            {"\"leaves\":[", "\"leaves\":1,\"x\":[", "its leaves" + has},
            {"[{\"depth\"", "[3,{\"depth\"", "its leaves" + has},
            {"-3", "9223372036854775808", "its depth" + has},
            {"-3", "-3.0", "its depth" + has},
            {"1500", "\"1500\"", "its took_us" + has},
            {"-1,\"owl\"", "\"-1\",\"owl\"", "its nests" + has},
            {"{\"jay\":-1,\"owl\":2}", "[]", "its nests" + has},
    };
    for (const auto& [part, instead, problem] : cases) {
        const auto tree = ParseFields<Tree>(With(kOak, part, instead));
        ASSERT_FALSE(tree.ok()) << instead;
        EXPECT_EQ(problem, tree.error().message().substr(0, problem.size())) << instead;
    }
}

}  // namespace
}  // namespace storekeeper
