//===- BeginLikePtxas.cpp - What every kernel starts with -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::beginLikePtxas(KernelFacts &Facts) {
  if (Facts.Operations.empty())
    return;
  auto AccessesAny = [&](std::initializer_list<MemorySpace> Spaces) {
    return any_of(Facts.Accesses, [&](const MemoryAccess &A) {
      return is_contained(Spaces, A.Space);
    });
  };
  SmallVector<Emission, 8> Begin;
  const AssemblerRules &Rules = assemblerRules(Facts.Architecture);
  // R1: the stack pointer.
  Begin.push_back({Rules.StackPointer, 1, 0});
  // ULDC.64: the descriptor of global memory.
  if (Rules.HasMemoryDescriptor &&
      AccessesAny({MemorySpace::Global, MemorySpace::Generic}))
    Begin.push_back({InstClass::Uldc, 1, 0});
  // The window of this block's shared memory in the cluster's: S2UR of the
  // block's rank, which takes the pipe of S2R, and two instructions that add it
  // to the address.
  if (Rules.HasSharedWindow && AccessesAny({MemorySpace::Shared})) {
    Begin.push_back({InstClass::S2R, 1, 0});
    Begin.push_back({InstClass::UInt, 2, 0});
  }
  SmallVector<Emission, 1> &Emits =
      Facts.Operations[Facts.Blocks.front().FirstOp].Emits;
  Emits.insert(Emits.begin(), Begin.begin(), Begin.end());
}
