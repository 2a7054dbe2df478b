//===- LocalMemory.cpp - Spills and indexed arrays ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessGroups.h"
#include "Price.h"

using namespace gpuocc;
using namespace llvm;

static bool isLocal(const Case &C, uint32_t I) {
  return C.Facts.Accesses[I].Space == MemorySpace::Local;
}

/// The arrays live in registers: their accesses are gone.
static Price priceInRegisters(const Case &C) {
  KernelFacts Facts = C.Facts;
  ExecutionProfile Profile = C.Profile;
  for (uint32_t I = 0; I != Facts.Accesses.size(); ++I) {
    if (!isLocal(C, I))
      continue;
    Facts.Operations[Facts.Accesses[I].Op].Emits.clear();
    Profile.Accesses[I].ExecutionsPerWarp = 0;
    Profile.Accesses[I].RequestsPerWarp = 0;
  }
  return priceFacts(C, Facts, Profile);
}

void gpuocc::findLocalMemory(const Case &C, Findings &Out) {
  double Requests = 0;
  uint32_t Most = NoIndex;
  for (uint32_t I = 0; I != C.Profile.Accesses.size(); ++I) {
    if (!isLocal(C, I))
      continue;
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
    addPrice(W, priceInRegisters(C));
    Out.push_back(std::move(W.finding()));
  }
  const ResourceUse &Use = C.Facts.Resources;
  if (Use.SpillLoadBytes == 0 && Use.SpillStoreBytes == 0)
    return;
  FindingWriter W(RuleId::LocalMemory, kernelLocation(C.Facts));
  W << "registers are spilled to local memory: "
    << named("SpillStoreBytes", Twine(Use.SpillStoreBytes)) << " B stored and "
    << named("SpillLoadBytes", Twine(Use.SpillLoadBytes))
    << " B loaded per thread in the code, with "
    << named("Registers", Twine(Use.RegistersPerThread))
    << " registers per thread; allow more registers or shorten live ranges";
  Out.push_back(std::move(W.finding()));
}
