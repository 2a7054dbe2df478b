//===- Scheduler.cpp - Work in the background -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc::editor;
using namespace llvm;
using Clock = std::chrono::steady_clock;

Scheduler::Scheduler() : Thread([this] { run(); }) {}

Scheduler::~Scheduler() {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Ends = true;
    Stop = true;
    Waiting.clear();
    Changed.notify_one();
  }
  Thread.join();
}

void Scheduler::schedule(Task T) {
  stop(T.Name);
  std::lock_guard<std::mutex> Lock(Mutex);
  Waiting.push_back(std::move(T));
  Changed.notify_one();
}

bool Scheduler::hurry(StringRef Name) {
  std::lock_guard<std::mutex> Lock(Mutex);
  for (Task &T : Waiting)
    if (T.Name == Name) {
      T.Due = Clock::now();
      Changed.notify_one();
      return true;
    }
  return Running == Name && !Stop;
}

void Scheduler::stop(StringRef Prefix) {
  std::lock_guard<std::mutex> Lock(Mutex);
  erase_if(Waiting, [&](const Task &T) {
    return StringRef(T.Name).starts_with(Prefix);
  });
  if (!Running.empty() && StringRef(Running).starts_with(Prefix))
    Stop = true;
}

size_t Scheduler::nextDue(Clock::time_point Now) const {
  size_t Best = Waiting.size();
  for (size_t I = 0; I != Waiting.size(); ++I)
    if (Waiting[I].Due <= Now &&
        (Best == Waiting.size() || Waiting[I].Rank < Waiting[Best].Rank))
      Best = I;
  return Best;
}

void Scheduler::run() {
  std::unique_lock<std::mutex> Lock(Mutex);
  while (!Ends) {
    if (Waiting.empty()) {
      Changed.wait(Lock);
      continue;
    }
    const size_t Next = nextDue(Clock::now());
    if (Next == Waiting.size()) {
      const auto First = min_element(
          Waiting, [](const Task &A, const Task &B) { return A.Due < B.Due; });
      const Clock::time_point Due = First->Due;
      Changed.wait_until(Lock, Due);
      continue;
    }
    Task T = std::move(Waiting[Next]);
    Waiting.erase(Waiting.begin() + ptrdiff_t(Next));
    Running = T.Name;
    Stop = false;
    Lock.unlock();
    T.Work(Stop);
    // What the task holds is freed by the thread that used it.
    T.Work = nullptr;
    Lock.lock();
    Running.clear();
  }
}
