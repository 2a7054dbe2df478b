//===- HeldAddresses.cpp - Addresses of loads under way -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeldAddresses.h"

using namespace gpuocc;
using namespace llvm;

HeldAddresses::HeldAddresses(const ScheduleInput &In, ArrayRef<uint32_t> Issued)
    : In(In), WaitedForAt(In.Code.Nodes.size()) {
  std::map<uint32_t, uint32_t> LoadOf;
  for (uint32_t I : Issued) {
    const CodeNode &N = In.Code.Nodes[I];
    for (uint32_t V : N.Uses)
      if (auto It = LoadOf.find(V); It != LoadOf.end()) {
        WaitedForAt[I].push_back(It->second);
        LoadOf.erase(It);
      }
    if (In.Facts.Operations[N.Op].Access != NoIndex)
      for (uint32_t V : N.Defs)
        LoadOf[V] = I;
  }
}

void HeldAddresses::waitAt(uint32_t I, const BitVector &Live) {
  for (uint32_t Load : WaitedForAt[I]) {
    const CodeNode &N = In.Code.Nodes[Load];
    unsigned Loaded = 0;
    for (uint32_t V : N.Defs)
      Loaded += In.words(V);
    for (uint32_t A : N.Uses)
      if (!Live.test(A) && In.words(A) > Loaded &&
          Held.try_emplace(A, In.words(A) - Loaded).second)
        Count += In.words(A) - Loaded;
  }
}

void HeldAddresses::use(uint32_t Value) {
  if (auto It = Held.find(Value); It != Held.end()) {
    Count -= It->second;
    Held.erase(It);
  }
}
