//===- RecordedMemory.cpp - What arrays hold at a launch ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/RecordedMemory.h"
#include "Analysis/SymbolRoots.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/RowStarts.h"
#include "gpuocc/Kernel/SwapTest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"

using namespace gpuocc;
using namespace llvm;

/// The blocks that can be executed after block \p From has been.
static std::vector<bool> blocksBehind(const KernelFacts &Facts, uint32_t From) {
  std::vector<bool> Behind(Facts.Blocks.size());
  SmallVector<uint32_t, 16> Work = {From};
  while (!Work.empty())
    for (uint32_t Next : Facts.Blocks[Work.pop_back_val()].Successors)
      if (Next < Behind.size() && !Behind[Next]) {
        Behind[Next] = true;
        Work.push_back(Next);
      }
  return Behind;
}

RecordedArrays::RecordedArrays(const KernelFacts &Facts,
                               function_ref<bool(uint64_t)> IsRecorded)
    : Loads(Facts.Accesses.size()), Writes(Facts.Accesses.size()) {
  std::vector<std::optional<uint64_t>> Arrays;
  for (const MemoryAccess &A : Facts.Accesses) {
    Arrays.push_back(arrayOfAccess(Facts, A));
    if (Arrays.back() && !IsRecorded(*Arrays.back()))
      Arrays.back().reset();
    Loads[Arrays.size() - 1] = Arrays.back() && A.Kind == AccessKind::Load;
  }
  // What other threads have written meanwhile is not what was recorded.
  for (const auto &[R, Load] : enumerate(Facts.Accesses))
    if (Loads[R] && Load.Volatile)
      Loads[R] = none_of(zip(Facts.Accesses, Arrays), [&](const auto &Of) {
        const auto &[Other, Array] = Of;
        return Array == Arrays[R] &&
               (Other.Kind == AccessKind::Store || isAtomic(Other.Kind));
      });
  for (uint32_t W = 0; W != Facts.Accesses.size(); ++W) {
    const MemoryAccess &Write = Facts.Accesses[W];
    if (!Arrays[W] || Write.Op >= Facts.Operations.size() ||
        (Write.Kind != AccessKind::Store && !isAtomic(Write.Kind)))
      continue;
    const uint32_t Block = Facts.Operations[Write.Op].Block;
    const std::vector<bool> Behind = blocksBehind(Facts, Block);
    for (uint32_t R = 0; R != Facts.Accesses.size(); ++R) {
      const uint32_t Load = Facts.Accesses[R].Op;
      if (!Loads[R] || Arrays[R] != Arrays[W] ||
          Load >= Facts.Operations.size())
        continue;
      const uint32_t In = Facts.Operations[Load].Block;
      if (Behind[In] || (In == Block && Load > Write.Op))
        Writes[R].push_back(W);
    }
  }
}

RecordedArrays RecordedArrays::seen(const KernelFacts &Facts) {
  RecordedArrays Out;
  // Lanes ran one after the other: each swap took place at the first try, and a
  // maximum had those of all lanes before.
  const std::vector<bool> OfSwaps = accessesOfSwaps(Facts);
  for (const auto &[I, A] : enumerate(Facts.Accesses))
    Out.Loads.push_back(
        (A.Kind == AccessKind::Load || A.Kind == AccessKind::Atomic) &&
        isInArrays(A.Space) && !OfSwaps[I]);
  return Out;
}

void RecordedArrays::addStructs(const KernelFacts &Facts,
                                function_ref<bool(unsigned)> IsGiven) {
  for (const auto &[I, A] : enumerate(Facts.Accesses))
    if (const std::optional<unsigned> Struct = structOfAccess(Facts, A);
        Struct && IsGiven(*Struct)) {
      Loads.resize(Facts.Accesses.size());
      Loads[I] = true;
    }
}

void RecordedArrays::addTables(const KernelFacts &Facts) {
  auto IsTable = [&](uint32_t Symbol) {
    return Symbol < Facts.Symbols.size() &&
           !Facts.Symbols[Symbol].Contents.empty();
  };
  if (none_of(seq<uint32_t>(0, Facts.Symbols.size()), IsTable))
    return;
  const SymbolRoots Roots(Facts);
  std::vector<bool> IsWritten(Facts.Symbols.size());
  for (const MemoryAccess &A : Facts.Accesses)
    for (uint32_t Symbol : Roots.of(A.Base))
      if (A.Kind != AccessKind::Load && Symbol < IsWritten.size())
        IsWritten[Symbol] = true;
  for (const auto &[I, A] : enumerate(Facts.Accesses)) {
    const SymbolRoots::Symbols Found = Roots.of(A.Base);
    if (A.Kind != AccessKind::Load || Found.size() != 1 ||
        !IsTable(Found.front()) || IsWritten[Found.front()])
      continue;
    Loads.resize(Facts.Accesses.size());
    Loads[I] = true;
  }
}

RecordedArrays gpuocc::findRecordedArrays(const KernelFacts &Facts,
                                          const Launch &L,
                                          const Mechanisms &Used, bool IsSeen) {
  RecordedArrays Out;
  const std::vector<RowStarts> Rows = Used.has(Mechanism::TripCounts)
                                          ? rowStarts(Facts, L)
                                          : std::vector<RowStarts>();
  if (IsSeen)
    Out = RecordedArrays::seen(Facts);
  else if (!L.Memory.empty() || !Rows.empty())
    Out = RecordedArrays(Facts, [&](uint64_t Array) {
      return L.Memory.count(unsigned(Array)) != 0 ||
             any_of(Rows,
                    [&](const RowStarts &Of) { return Of.Array == Array; });
    });
  if (!L.StructBytes.empty())
    Out.addStructs(Facts, [&](unsigned Parameter) {
      return L.StructBytes.count(Parameter) != 0;
    });
  Out.addTables(Facts);
  return Out;
}

RecordedMemory::RecordedMemory(const KernelFacts &Facts, const Launch &L) {
  for (const auto &[Array, File] : L.Memory)
    if (auto Buffer = MemoryBuffer::getFile(File.Value, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false))
      Contents.try_emplace(Array, std::move(*Buffer));
  for (const RowStarts &Rows : rowStarts(Facts, L))
    Contents.try_emplace(Rows.Array, Rows);
}

const ArrayContents *RecordedMemory::find(uint64_t Array) const {
  auto Found = Contents.find(Array);
  return Found == Contents.end() ? nullptr : &Found->second;
}
