// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <type_traits>
#include <utility>

namespace storekeeper {

// A failed Result's message and error number. libbase makes ResultError a template in Android 13;
// this name is right for 11 to 16.
using ResultFailure = android::base::Result<void>::error_type;

// The same Result; its error names the file as well, which a call on a descriptor does not know.
template <typename T>
android::base::Result<T> At(const std::string& path, android::base::Result<T>&& result) {
    if (result.ok()) return std::move(result);
    return ResultFailure(path + ": " + result.error().message(), result.error().code());
}

template <typename T>
T TakeValue(android::base::Result<T>&& result) {
    if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

}  // namespace storekeeper

// The value of `expr`, a Result; if it failed, returns its error from the enclosing function, whose
// type is a Result as well.
//
// Not in a braced list behind a member that owns memory, such as a string: clang before 19 leaks it
// when this returns.
//
// libbase's OR_RETURN serves Android 14 and later only: 11 and 12 lack it, that of 13 refuses
// Result<void>, and one within another shadows its variable on every release.
#define TRY(expr) STOREKEEPER_TRY(expr, __COUNTER__)
#define STOREKEEPER_TRY(expr, number) STOREKEEPER_TRY_AS(expr, number)
#define STOREKEEPER_TRY_AS(expr, number)                                       \
    ({                                                                         \
        auto try_##number = (expr);                                            \
        if (!try_##number.ok()) {                                              \
            return android::base::unexpected(std::move(try_##number).error()); \
        }                                                                      \
        ::storekeeper::TakeValue(std::move(try_##number));                     \
    })
