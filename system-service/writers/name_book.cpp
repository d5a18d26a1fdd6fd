// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "writers/name_book.h"

#include <errno.h>

#include <utility>

namespace storekeeper {

using android::base::Result;

NameBook::NameBook(const Clock& clock, std::shared_ptr<PackageService> service,
                   std::chrono::milliseconds patience)
      : clock_(clock),
        service_(std::move(service)),
        patience_("the package service", patience),
        problem_(service_ == nullptr ? "no package service" : "") {}

void NameBook::Refresh(const std::vector<uint32_t>& uids) {
    const std::vector<uint32_t> apps = UidsToName(uids);
    if (service_ == nullptr || apps.empty()) return;
    const BootTime now = clock_.SinceBoot();
    if (asked_.has_value() && now - *asked_ < kPeriod) return;
    const Result<std::vector<std::string>> answer = patience_.Ask<std::vector<std::string>>(
            [service = service_, apps] { return service->NamesOf(apps); });
    if (answer.ok() || answer.error().code() != ENODEV) asked_ = now;
    Result<UidNames> names = answer.ok()
                                     ? CheckedNames(apps, *answer)
                                     : Result<UidNames>(android::base::unexpected(answer.error()));
    problem_ = names.ok() ? "" : names.error().message();
    if (names.ok()) names_ = std::move(*names);
}

}  // namespace storekeeper
