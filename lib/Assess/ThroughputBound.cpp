//===- ThroughputBound.cpp - Busy cycles by resource ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Rules.h"

using namespace gpuocc;
using namespace llvm;

/// Resources named in the message.
static constexpr size_t ShownBounds = 5;

void gpuocc::findThroughputBound(const Case &C, Findings &Out) {
  const std::vector<Bound> &Bounds = C.Predicted.Bounds;
  if (Bounds.empty())
    return;
  FindingWriter W(RuleId::ThroughputBound, kernelLocation(C.Facts));
  W << "SM cycles per warp by resource: ";
  for (size_t I = 0; I != std::min(Bounds.size(), ShownBounds); ++I) {
    StringRef Key = resourceKey(Bounds[I].What);
    W << (I ? ", " : "") << Key << " "
      << named(Key, formatNumber(Bounds[I].CyclesPerWarp));
  }
  if (const std::vector<BoundTerm> &Terms = Bounds.front().Terms;
      !Terms.empty()) {
    const BoundTerm *Largest = &Terms.front();
    for (const BoundTerm &Term : Terms)
      if (Term.cycles() > Largest->cycles())
        Largest = &Term;
    W << "; largest use of " << resourceKey(Bounds.front().What) << ": "
      << Largest->What << ", " << formatNumber(Largest->CountPerWarp) << " x "
      << formatCount(Largest->CyclesEach, "cycle");
  }
  Out.push_back(std::move(W.finding()));
}
