//===- InstructionFetch.cpp - Loops that are long to fetch ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InstructionFetch.h"
#include "OperationKinds.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

/// Of an instruction, since Volta; of a line of the instruction cache.
static constexpr double InstructionBytes = 16, LineBytes = 128;

double InstructionFetch::codeBytes(uint32_t L) const {
  double Instructions = 0;
  for (uint32_t B : Facts.Loops[L].Blocks)
    Instructions += Facts.instructionsOf(B);
  return Instructions * std::max(1u, Facts.Loops[L].UnrolledBy) *
         InstructionBytes;
}

bool InstructionFetch::keepsInStep(uint32_t Block) const {
  const uint32_t L = Facts.Blocks[Block].Loop;
  Known<double> Reach = Device.get(Quantity::InstructionL0Bytes);
  if (L == NoIndex || !Reach)
    return true;
  return codeBytes(L) <= *Reach ||
         any_of(Facts.Loops[L].Blocks, [&](uint32_t B) {
           const BasicBlock &Of = Facts.Blocks[B];
           return any_of(
               ArrayRef(Facts.Operations).slice(Of.FirstOp, Of.NumOps),
               isFence);
         });
}

double InstructionFetch::waitCycles(uint32_t L) const {
  constexpr double InstructionsPerLine = LineBytes / InstructionBytes;
  Known<double> Bytes = Device.get(Quantity::InstructionL1Bytes);
  Known<double> Ways = Device.get(Quantity::InstructionL1Ways);
  Known<double> Fetch = Device.get(Quantity::InstructionFetch);
  if (!Bytes || !Ways || !Fetch)
    return 0;
  const double Lines = codeBytes(L) / LineBytes;
  const double TooMany = std::max(0.0, Lines - *Bytes / LineBytes);
  const double Missed = std::min(Lines, TooMany * (*Ways + 1));
  return Missed * std::max(0.0, *Fetch - InstructionsPerLine) /
         std::max(1u, Facts.Loops[L].UnrolledBy);
}
