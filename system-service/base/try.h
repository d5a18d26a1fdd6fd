// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#pragma once

#include <android-base/result.h>

#include <string>
#include <type_traits>
#include <utility>

namespace storekeeper {

// A failed Result's message and error number. libbase turned ResultError into a template in Android
// 13; this name compiles with 11 to 16.
using ResultFailure = android::base::Result<void>::error_type;

// Adds the path to the error of a call on a descriptor.
template <typename T>
android::base::Result<T> WithPath(const std::string& path, android::base::Result<T>&& result) {
    if (result.ok()) return std::move(result);
    return ResultFailure(path + ": " + result.error().message(), result.error().code());
}

template <typename T>
T TakeValue(android::base::Result<T>&& result) {
    if constexpr (!std::is_void_v<T>) return std::move(result).value();
}

}  // namespace storekeeper

// Evaluates to the value of `expr`, a Result. On failure it returns the error from the enclosing
// function, which must return a Result as well.
//
// Do not use it in a braced list after a member that owns memory, such as a string: clang before 19
// leaks that member on the early return.
//
// libbase's OR_RETURN works on Android 14 and later only: 11 and 12 lack it, 13 refuses
// Result<void>, and nested uses shadow a variable on every release.
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
