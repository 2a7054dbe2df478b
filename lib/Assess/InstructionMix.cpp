//===- InstructionMix.cpp - Warp instructions by class --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Rules.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// Classes named in the message; the rest is counted together.
static constexpr size_t ShownClasses = 6;

void gpuocc::findInstructionMix(const Case &C, Findings &Out) {
  std::vector<ClassCount> Mix = C.Predicted.Mix;
  double All = C.Predicted.InstructionsPerWarp;
  if (Mix.empty() || All <= 0)
    return;
  llvm::sort(Mix, [](const ClassCount &A, const ClassCount &B) {
    return std::tie(B.PerWarp, A.Class) < std::tie(A.PerWarp, B.Class);
  });
  FindingWriter W(RuleId::InstructionMix, kernelLocation(C.Facts));
  W << named("Instructions", formatNumber(All)) << " warp "
    << plural(formatNumber(All), "instruction") << " per warp: ";
  double Shown = 0;
  for (size_t I = 0; I != std::min(Mix.size(), ShownClasses); ++I) {
    StringRef Key = instClassKey(Mix[I].Class);
    W << (I ? ", " : "") << Key << " "
      << named(Key, formatNumber(Mix[I].PerWarp)) << " ("
      << formatPercent(Mix[I].PerWarp / All) << ")";
    Shown += Mix[I].PerWarp;
  }
  if (Mix.size() > ShownClasses)
    W << ", other " << named("other", formatNumber(All - Shown));
  Out.push_back(std::move(W.finding()));
}
