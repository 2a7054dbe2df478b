//===- InstructionFetch.cpp - Loops that are long to fetch ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/InstructionFetch.h"
#include "Numbers/OperationKinds.h"
#include "gpuocc/Device/FlatDevice.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace gpuocc;
using namespace llvm;

namespace {

/// What a loop has of each of its blocks.
struct BlockCode {
  double Instructions = 0;
  bool HasFence = false;
};

/// The code of a loop that warps execute.
struct LoopCode {
  double Bytes = 0;
  /// Share of that which a warp executes in an iteration.
  double TakenShare = 1;
};

} // namespace

static std::vector<BlockCode> codeOfBlocks(const KernelFacts &Facts) {
  std::vector<BlockCode> Code(Facts.Blocks.size());
  for (uint32_t B = 0; B != Facts.Blocks.size(); ++B) {
    const BasicBlock &Of = Facts.Blocks[B];
    Code[B] = {Facts.instructionsOf(B),
               any_of(ArrayRef(Facts.Operations).slice(Of.FirstOp, Of.NumOps),
                      isFence)};
  }
  return Code;
}

/// Cycles that an iteration of \p L, which has \p Code in instructions of \p
/// InstructionBytes, waits for it.
static double waitCyclesOf(const Loop &L, const LoopCode &Code,
                           double InstructionBytes, const FlatDevice &Device) {
  std::optional<double> Bytes = Device.get(Quantity::InstructionL1Bytes);
  std::optional<double> Ways = Device.get(Quantity::InstructionL1Ways);
  std::optional<double> Fetch = Device.get(Quantity::InstructionFetch);
  std::optional<double> LineBytes = Device.get(Quantity::InstructionLineBytes);
  if (!Bytes || !Ways || !Fetch || !LineBytes)
    return 0;
  const double InstructionsPerLine = *LineBytes / InstructionBytes;
  const double Lines = Code.Bytes / *LineBytes;
  const double TooMany = std::max(0.0, Lines - *Bytes / *LineBytes);
  const double Missed = std::min(Lines, TooMany * (*Ways + 1));
  return Code.TakenShare * Missed *
         std::max(0.0, *Fetch - InstructionsPerLine) /
         std::max(1u, L.UnrolledBy);
}

/// The code of \p L in instructions of \p InstructionBytes, whose blocks have
/// \p Code. A side that some warps take is fetched by these.
static LoopCode codeOfLoop(const Loop &L, ArrayRef<BlockCode> Code,
                           double InstructionBytes,
                           const ExecutionProfile &Profile,
                           ArrayRef<double> MostExecutions) {
  const double Iterations = Profile.Blocks[L.Header].ExecutionsPerWarp;
  double Executed = 0, Taken = 0;
  for (uint32_t B : L.Blocks) {
    if (MostExecutions[B] <= 0)
      continue;
    Executed += Code[B].Instructions;
    if (Iterations > 0)
      Taken += Code[B].Instructions *
               std::min(1.0, Profile.Blocks[B].ExecutionsPerWarp / Iterations);
  }
  return {Executed * std::max(1u, L.UnrolledBy) * InstructionBytes,
          Executed > 0 ? Taken / Executed : 0};
}

InstructionFetch::InstructionFetch(const KernelFacts &Facts,
                                   const ExecutionProfile &Profile,
                                   ArrayRef<double> MostExecutions,
                                   const FlatDevice &Device)
    : Facts(Facts) {
  const std::optional<unsigned> InstructionBytes =
      Device.limits().InstructionBytes;
  if (!InstructionBytes) {
    Loops.resize(Facts.Loops.size());
    return;
  }
  const std::vector<BlockCode> Code = codeOfBlocks(Facts);
  const std::optional<double> Reach = Device.get(Quantity::InstructionL0Bytes);
  for (const Loop &L : Facts.Loops) {
    const bool HasFence =
        any_of(L.Blocks, [&](uint32_t B) { return Code[B].HasFence; });
    const LoopCode OfLoop =
        codeOfLoop(L, Code, *InstructionBytes, Profile, MostExecutions);
    Loops.push_back(
        {!Reach || OfLoop.Bytes * OfLoop.TakenShare <= *Reach || HasFence,
         waitCyclesOf(L, OfLoop, *InstructionBytes, Device)});
  }
}

bool InstructionFetch::keepsInStep(uint32_t Block) const {
  const uint32_t L = Facts.Blocks[Block].Loop;
  return L == NoIndex || Loops[L].KeepsInStep;
}
