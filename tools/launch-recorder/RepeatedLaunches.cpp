//===- RepeatedLaunches.cpp - Launches whose results are known ------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RepeatedLaunches.h"
#include "ArgumentWords.h"
#include "ContentDigest.h"
#include "DeviceMemory.h"
#include "LaunchLog.h"
#include <cstdint>
#include <cstring>

using namespace gpuocc;
using namespace gpuocc::recorder;

/// Launches that are kept in mind.
static constexpr size_t MostKept = 100000;

/// Bytes of results that are kept.
static constexpr size_t MostResultBytes = size_t(256) << 20;

/// Launches of a shape without a known result, until nobody looks any more.
static constexpr unsigned MostMissed = 8;

/// Heuristic: bytes a second that are read for a digest and copied, low, so
/// that the look takes a small part of a launch.
static constexpr double BytesPerSecond = 0.5e9;

template <typename T> static void append(std::string &Key, const T &Value) {
  Key.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
}

static std::string shapeOf(const ProgramKernel &K,
                           const LaunchRequest &Request) {
  std::string Key = K.Name;
  append(Key, Request.Grid);
  append(Key, Request.Block);
  append(Key, Request.SharedBytes);
  return Key;
}

static void appendArguments(std::string &Key, const ProgramKernel &K,
                            const LaunchRequest &Request) {
  for (size_t I = 0; I != K.Description->Parameters.size(); ++I)
    Key.append(static_cast<const char *>(Request.Arguments[I]),
               K.Description->Parameters[I].Bytes);
}

std::string RepeatedLaunches::keyOf(const ProgramKernel &K,
                                    const LaunchRequest &Request) const {
  if (!K.Description || !K.Description->IsRepeatable || !Request.Arguments ||
      VariablesAreOpen)
    return "";
  std::string Key = shapeOf(K, Request);
  append(Key, VariableVersion);
  appendArguments(Key, K, Request);
  for (const ArgumentWord &Word : wordsOf(*K.Description, Request.Arguments)) {
    // The host writes there without saying so.
    if (deviceMemory().isWrittenByHost(Word.Pointer))
      return "";
    append(Key, deviceMemory().version(Word.Pointer));
  }
  return Key;
}

uint64_t RepeatedLaunches::digestOfArray(const void *Pointer) {
  const DeviceMemory::Range R = deviceMemory().rangeOf(Pointer);
  if (R.Bytes == 0)
    return 0;
  if (deviceMemory().isWrittenByHost(Pointer))
    return digestOf(R.Start, R.Bytes);
  if (Digests.size() == MostKept)
    Digests.clear();
  auto [Found, IsNew] = Digests.try_emplace(deviceMemory().version(Pointer));
  if (IsNew)
    Found->second = digestOf(R.Start, R.Bytes);
  return Found->second;
}

std::string RepeatedLaunches::contentKeyOf(const ProgramKernel &K,
                                           const LaunchRequest &Request) {
  std::string Key = shapeOf(K, Request);
  append(Key, VariableVersion);
  appendArguments(Key, K, Request);
  for (const ArgumentWord &Word : wordsOf(*K.Description, Request.Arguments))
    append(Key, digestOfArray(Word.Pointer));
  return Key;
}

bool RepeatedLaunches::isWorthwhile(const ProgramKernel &K,
                                    const LaunchRequest &Request,
                                    const Shape &S) const {
  if (S.NumMissed >= MostMissed || S.Effects == RunEffects::Others)
    return false;
  // A digest and a copy of those that it writes; the others keep theirs, or
  // there is an end to it.
  double Bytes = 0;
  for (const ArgumentWord &Word : wordsOf(*K.Description, Request.Arguments))
    Bytes += double(deviceMemory().rangeOf(Word.Pointer).Bytes) *
             (Word.IsWritten ? 2 : 1.0 / MostMissed);
  return Bytes < S.Seconds * BytesPerSecond && Bytes < MostResultBytes;
}

static void noteRepetition() {
  launchLog().note("launches that repeat an earlier one with the same data are "
                   "counted, and not run again");
}

bool RepeatedLaunches::isDone(const ProgramKernel &K,
                              const LaunchRequest &Request, bool MayReplay,
                              Begin &Out) {
  std::lock_guard<std::mutex> Guard(Lock);
  Out.Start = std::chrono::steady_clock::now();
  if (const std::string Key = keyOf(K, Request);
      !Key.empty() && Done.count(Key) != 0) {
    noteRepetition();
    return true;
  }
  if (!K.Description || !K.Description->IsConfined || !Request.Arguments ||
      VariablesAreOpen)
    return false;
  auto Known = Shapes.find(shapeOf(K, Request));
  if (Known == Shapes.end() || !isWorthwhile(K, Request, Known->second))
    return false;
  Out.Key = contentKeyOf(K, Request);
  auto Found = Results.find(Out.Key);
  if (Found == Results.end()) {
    ++Known->second.NumMissed;
    return false;
  }
  Known->second.NumMissed = 0;
  if (!MayReplay)
    return false;
  for (const Result &R : Found->second) {
    std::memcpy(R.Start, R.Bytes.data(), R.Bytes.size());
    deviceMemory().setKnown(R.Start, true);
    Digests[deviceMemory().version(R.Start)] = R.Digest;
  }
  noteRepetition();
  return true;
}

void RepeatedLaunches::noteRun(const ProgramKernel &K,
                               const LaunchRequest &Request, const Begin &From,
                               RunEffects Effects) {
  std::lock_guard<std::mutex> Guard(Lock);
  Shape &S = Shapes[shapeOf(K, Request)];
  S.Effects = Effects;
  S.Seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                            From.Start)
                  .count();
  if (Done.size() == MostKept)
    Done.clear();
  if (std::string Key = keyOf(K, Request);
      !Key.empty() && Effects == RunEffects::None)
    Done.insert(std::move(Key));
  if (From.Key.empty() || Results.count(From.Key) != 0)
    return;
  std::map<void *, Result> Left;
  size_t Bytes = 0;
  for (const ArgumentWord &Word : wordsOf(*K.Description, Request.Arguments)) {
    const DeviceMemory::Range R = deviceMemory().rangeOf(Word.Pointer);
    if (!Word.IsWritten || R.Bytes == 0 || Left.count(R.Start) != 0)
      continue;
    const auto *Start = static_cast<const char *>(R.Start);
    Left[R.Start] = {
        R.Start, {Start, Start + R.Bytes}, digestOfArray(Word.Pointer)};
    Bytes += R.Bytes;
  }
  if (ResultBytes + Bytes > MostResultBytes)
    return;
  ResultBytes += Bytes;
  std::vector<Result> &Kept = Results[From.Key];
  for (auto &[Start, R] : Left)
    Kept.push_back(std::move(R));
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
