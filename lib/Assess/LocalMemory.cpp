//===- LocalMemory.cpp - Indexed arrays in local memory -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "LocalAccesses.h"
#include "gpuocc/Assembler/SpillCode.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/WhatIf/AccessChanges.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

Price gpuocc::priceInRegisters(const Case &C, ArrayRef<uint32_t> Accesses) {
  constexpr unsigned BytesPerRegister = 4;
  // Values that a slot held take a register each while they are alive.
  uint64_t SlotBytes = 0;
  for (uint32_t I : Accesses)
    if (isSpill(C.Facts, C.Facts.Accesses[I]) &&
        C.Facts.Accesses[I].Kind == AccessKind::Store)
      SlotBytes += C.Facts.Accesses[I].BytesPerLane;
  const ResourceUse &Use = C.Facts.Resources;
  const unsigned More =
      unsigned(std::min(SlotBytes, Use.SpilledAtOnceBytes) / BytesPerRegister);
  return price(C, keepInRegisters(Accesses.vec(), More,
                                  C.Limits.MaxRegistersPerThread.value_or(
                                      Use.RegistersPerThread)));
}

void gpuocc::findLocalMemory(const Case &C, Findings &Out) {
  double Requests = 0;
  uint32_t Most = NoIndex;
  std::vector<uint32_t> Local;
  for (uint32_t I = 0; I != C.Profile.Accesses.size(); ++I) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    if (A.Space != MemorySpace::Local || isSpill(C.Facts, A))
      continue;
    Local.push_back(I);
    double Here = C.Profile.Accesses[I].RequestsPerWarp;
    Requests += Here;
    if (Most == NoIndex || Here > C.Profile.Accesses[Most].RequestsPerWarp)
      Most = I;
  }
  if (Requests > 0) {
    FindingWriter W(RuleId::LocalMemory, locationOfAccess(C.Facts, Most));
    W.finding().Access = Most;
    W << "an array lives in local memory ("
      << named("RequestsPerWarp", formatCount(Requests, "request"))
      << " per warp) because its index is not known when compiling; "
         "unroll the loops that index it, or keep it in shared memory";
    addPrice(W, priceInRegisters(C, Local));
    Out.push_back(std::move(W.finding()));
  }
  findSpills(C, Out);
}
