//===- InstructionFetch.cpp - Loops that are long to fetch ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Latency/InstructionFetch.h"
#include "Numbers/OperationKinds.h"
#include "gpuocc/Device/FlatDevice.h"
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

/// Cycles that an iteration of \p L, whose code has \p CodeBytes in
/// instructions of \p InstructionBytes, waits for it.
static double waitCyclesOf(const Loop &L, double CodeBytes,
                           double InstructionBytes, const FlatDevice &Device) {
  std::optional<double> Bytes = Device.get(Quantity::InstructionL1Bytes);
  std::optional<double> Ways = Device.get(Quantity::InstructionL1Ways);
  std::optional<double> Fetch = Device.get(Quantity::InstructionFetch);
  std::optional<double> LineBytes = Device.get(Quantity::InstructionLineBytes);
  if (!Bytes || !Ways || !Fetch || !LineBytes)
    return 0;
  const double InstructionsPerLine = *LineBytes / InstructionBytes;
  const double Lines = CodeBytes / *LineBytes;
  const double TooMany = std::max(0.0, Lines - *Bytes / *LineBytes);
  const double Missed = std::min(Lines, TooMany * (*Ways + 1));
  return Missed * std::max(0.0, *Fetch - InstructionsPerLine) /
         std::max(1u, L.UnrolledBy);
}

InstructionFetch::InstructionFetch(const KernelFacts &Facts,
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
    double Instructions = 0;
    bool HasFence = false;
    for (uint32_t B : L.Blocks) {
      Instructions += Code[B].Instructions;
      HasFence |= Code[B].HasFence;
    }
    const double CodeBytes =
        Instructions * std::max(1u, L.UnrolledBy) * *InstructionBytes;
    Loops.push_back({!Reach || CodeBytes <= *Reach || HasFence,
                     waitCyclesOf(L, CodeBytes, *InstructionBytes, Device)});
  }
}

bool InstructionFetch::keepsInStep(uint32_t Block) const {
  const uint32_t L = Facts.Blocks[Block].Loop;
  return L == NoIndex || Loops[L].KeepsInStep;
}
