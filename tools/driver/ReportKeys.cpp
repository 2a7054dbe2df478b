//===- ReportKeys.cpp - What a report was made of -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ReportKeys.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Kernel/JSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cassert>

using namespace gpuocc;
using namespace llvm;

static std::string hashOf(StringRef Text) {
  const XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Text));
  return utohexstr(Hash.high64, /*LowerCase=*/true, 16) +
         utohexstr(Hash.low64, /*LowerCase=*/true, 16);
}

static json::Array describe(const Mechanisms &Used) {
  json::Array Out;
  for (Mechanism M : Used.leftOut())
    Out.push_back(mechanismInfo(M).Key);
  return Out;
}

static json::Array describe(const LanesOptions &Options) {
  // A new member does not compile until it stands here.
  const auto &[MaxWarps, MaxDifferentWarps, MaxIterations, MaxSteps,
               DescribesUnreached, StepsTaken, DefaultTripCount,
               DefaultArgument, DefaultGridBlocks, Seen, Turns, LoopsByTurns,
               Used] = Options;
  (void)StepsTaken;
  (void)Seen;
  (void)Turns;
  (void)LoopsByTurns;
  assert(!Seen && !Turns &&
         "reports of a launch that was watched are not kept");
  return json::Array{MaxWarps,        MaxDifferentWarps,  MaxIterations,
                     MaxSteps,        DescribesUnreached, DefaultTripCount,
                     DefaultArgument, DefaultGridBlocks,  describe(Used)};
}

static json::Array describe(const AssessOptions &Options) {
  const auto &[Lanes, MinimumGain, MinimumGainOfRule, Suppress, AdviseLaunches,
               SweepSizes, Executed, Questions, Beforehand] = Options;
  (void)Executed;
  (void)Questions;
  assert(!Executed && "reports of a launch that was followed are not kept");
  assert(!Questions && "reports of kernels that share a budget are not kept");
  json::Object Gains;
  for (const auto &[Rule, Gain] : MinimumGainOfRule)
    Gains[Rule] = Gain;
  json::Array Assumed;
  for (const auto &[What, Taken, HowToSupply, Location, GuessedBy, Evidence] :
       Beforehand)
    Assumed.push_back(
        json::Array{What, Taken, HowToSupply, Location, GuessedBy, Evidence});
  return json::Array{describe(Lanes), MinimumGain, std::move(Gains),  Suppress,
                     AdviseLaunches,  SweepSizes,  std::move(Assumed)};
}

ReportKeys::ReportKeys(const DeviceModel &Device, const Mechanisms &Used,
                       const AssessOptions &Options) {
  raw_string_ostream(Common) << json::Value(
      json::Array{toJSON(Device), describe(Used), describe(Options)});
}

std::string ReportKeys::of(const KernelFacts &Facts, const KernelFacts *Code,
                           const Launch &L, StringRef Silenced) const {
  std::string Text = Common;
  raw_string_ostream(Text) << json::Value(
      json::Array{toJSON(Facts), Code ? toJSON(*Code) : json::Value(nullptr),
                  toJSON(L), json::fixUTF8(Silenced)});
  return hashOf(Text);
}
