//===- LatencyBound.cpp - Latency of one warp -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "PathByLine.h"
#include "Rules.h"

using namespace gpuocc;
using namespace llvm;

/// Lines named in the message.
static constexpr size_t ShownLines = 4;

void gpuocc::findLatencyBound(const Case &C, Findings &Out) {
  const LatencyBound &L = C.Predicted.Latency;
  if (L.CyclesPerWarp <= 0)
    return;
  FindingWriter W(RuleId::LatencyBound, kernelLocation(C.Facts));
  W << "a warp takes " << named("Latency", formatNumber(L.CyclesPerWarp)) << " "
    << plural(formatNumber(L.CyclesPerWarp), "cycle") << " alone";
  if (L.BarrierCycles > 0)
    W << ", " << named("BarrierCycles", formatNumber(L.BarrierCycles))
      << " of them at barriers";
  if (L.ReplacementCycles > 0)
    W << ", " << named("ReplacementCycles", formatNumber(L.ReplacementCycles))
      << " until its block is replaced";
  std::vector<PathLine> Lines =
      pathByLine(C.Facts, L, [](const LatencyStep &) { return true; });
  for (size_t I = 0; I != std::min(Lines.size(), ShownLines); ++I) {
    W << (I ? ", " : "; longest: ") << formatCount(Lines[I].Cycles, "cycle");
    if (std::string Place = formatPlace(Lines[I].Place); !Place.empty())
      W << " at " << Place;
    if (!Lines[I].Why.empty())
      W << " (" << Lines[I].Why << ")";
  }
  Out.push_back(std::move(W.finding()));
}
