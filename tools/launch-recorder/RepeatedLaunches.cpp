//===- RepeatedLaunches.cpp - Launches that change nothing ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatedLaunches.h"
#include "DeviceMemory.h"
#include "LaunchLog.h"
#include <cstdint>
#include <cstring>

using namespace gpuocc::recorder;

/// Launches that are kept in mind.
static constexpr size_t MostKept = 100000;

template <typename T> static void append(std::string &Key, const T &Value) {
  Key.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
}

std::string RepeatedLaunches::keyOf(const ProgramKernel &K,
                                    const LaunchRequest &Request) const {
  if (!K.Description || !K.Description->IsRepeatable || !Request.Arguments ||
      VariablesAreOpen)
    return "";
  std::string Key = K.Name;
  append(Key, Request.Grid);
  append(Key, Request.Block);
  append(Key, Request.SharedBytes);
  append(Key, VariableVersion);
  for (size_t I = 0; I != K.Description->Parameters.size(); ++I) {
    const size_t Bytes = K.Description->Parameters[I].Bytes;
    const auto *Argument = static_cast<const char *>(Request.Arguments[I]);
    Key.append(Argument, Bytes);
    for (size_t At = 0; At + sizeof(uintptr_t) <= Bytes;
         At += sizeof(uintptr_t)) {
      uintptr_t Address = 0;
      std::memcpy(&Address, Argument + At, sizeof(Address));
      const auto *Pointer = reinterpret_cast<const void *>(Address);
      // The host writes there without saying so.
      if (deviceMemory().isWrittenByHost(Pointer))
        return "";
      append(Key, deviceMemory().version(Pointer));
    }
  }
  return Key;
}

bool RepeatedLaunches::isRepeat(const ProgramKernel &K,
                                const LaunchRequest &Request) {
  std::lock_guard<std::mutex> Guard(Lock);
  const std::string Key = keyOf(K, Request);
  if (Key.empty() || Done.count(Key) == 0)
    return false;
  launchLog().note("launches that repeat an earlier one with the same data are "
                   "counted, and not run again");
  return true;
}

void RepeatedLaunches::noteRun(const ProgramKernel &K,
                               const LaunchRequest &Request) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Done.size() == MostKept)
    Done.clear();
  if (std::string Key = keyOf(K, Request); !Key.empty())
    Done.insert(std::move(Key));
}

void RepeatedLaunches::noteVariable() {
  std::lock_guard<std::mutex> Guard(Lock);
  ++VariableVersion;
}

void RepeatedLaunches::noteVariableAddress() {
  std::lock_guard<std::mutex> Guard(Lock);
  VariablesAreOpen = true;
}

RepeatedLaunches &gpuocc::recorder::repeatedLaunches() {
  // Never destroyed: programs launch while they end.
  static RepeatedLaunches &Only = *new RepeatedLaunches;
  return Only;
}
