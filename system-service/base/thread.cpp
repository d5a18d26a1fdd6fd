// SPDX-License-Identifier: Apache-2.0
// Copyright (C) 2026 The Storekeeper Project

#include "base/thread.h"

#include <memory>
#include <utility>

namespace storekeeper {
namespace {

using android::base::Error;
using android::base::Result;

void* Run(void* body) {
    const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(body));
    (*owned)();
    return nullptr;
}

}  // namespace

Result<Thread> Thread::Start(std::function<void()> body, size_t stack_bytes) {
    auto owned = std::make_unique<std::function<void()>>(std::move(body));
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    if (stack_bytes != kUsualStack) pthread_attr_setstacksize(&attributes, stack_bytes);
    pthread_t thread{};
    const int error = pthread_create(&thread, &attributes, Run, owned.get());
    pthread_attr_destroy(&attributes);
    if (error != 0) return Error(error) << "cannot start a thread";
    static_cast<void>(owned.release());  // the thread owns it now
    return Thread(thread);
}

Thread::~Thread() {
    if (ours_) pthread_join(thread_, nullptr);
}

void Thread::Detach() {
    pthread_detach(thread_);
    ours_ = false;
}

}  // namespace storekeeper
