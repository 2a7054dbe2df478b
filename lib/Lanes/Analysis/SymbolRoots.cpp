//===- SymbolRoots.cpp - Variables that addresses lie in ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/SymbolRoots.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

SymbolRoots::SymbolRoots(const KernelFacts &Facts)
    : OfOperation(Facts.Operations.size()) {
  auto Grow = [&](size_t I) {
    const Operation &Op = Facts.Operations[I];
    if (Op.What == Semantics::Load || Op.What == Semantics::Opaque)
      return false;
    Symbols &All = OfOperation[I];
    const size_t Before = All.size();
    for (const Operand &O : Op.Operands)
      for (uint32_t Symbol : of(O))
        if (!is_contained(All, Symbol))
          All.push_back(Symbol);
    return All.size() != Before;
  };
  // Symbols only become more, so this ends; loops need one more pass a level.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < OfOperation.size(); ++I)
      Changed |= Grow(I);
  }
}

SymbolRoots::Symbols SymbolRoots::of(const Operand &O) const {
  if (O.K == Operand::Kind::Symbol)
    return {O.Index};
  if (O.isValue() && O.Index < OfOperation.size())
    return OfOperation[O.Index];
  return {};
}
