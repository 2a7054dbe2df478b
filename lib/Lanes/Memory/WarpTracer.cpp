//===- WarpTracer.cpp - The lines that a warp touches ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory/WarpTracer.h"
#include "Memory/Requests.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <bit>

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isCachedSpace(MemorySpace S) {
  return S == MemorySpace::Global || S == MemorySpace::Generic ||
         S == MemorySpace::Local || S == MemorySpace::Texture;
}

bool gpuocc::isTraced(const MemoryAccess &A) {
  return isCachedSpace(A.Space) && !isAtomic(A.Kind) && !A.Bulk;
}

WarpTracer::WarpTracer(const KernelFacts &Facts, const MemoryGeometry &G)
    : Facts(Facts), G(G),
      SectorsPerLine(std::max(1u, G.LineBytes / std::max(1u, G.SectorBytes))) {
  uint32_t Fences = 0, Barriers = 0;
  for (const Operation &Op : Facts.Operations) {
    FencesBefore.push_back(Fences);
    BarriersBefore.push_back(Barriers);
    Barriers += any_of(Op.Emits, [](const Emission &E) {
      return E.Class == InstClass::Barrier;
    });
    Fences += (Op.Access != NoIndex && Facts.Accesses[Op.Access].Acquires) ||
              any_of(Op.Emits, [](const Emission &E) {
                return E.Class == InstClass::MemBar;
              });
  }
  FencesBefore.push_back(Fences);
  BarriersBefore.push_back(Barriers);
}

void WarpTracer::begin(uint64_t Key) {
  WarpKey = Key;
  Trace = WarpTrace();
  NextOp = EndOfBlock = 0;
  IsBehindFence = false;
  TurnsLeftOut.assign(Facts.Accesses.size(), 0);
}

void WarpTracer::onTurnsLeftOut(uint32_t /*Loop*/, uint64_t Turns) {
  TurnsLeftOut.assign(Facts.Accesses.size(), Turns);
}

WarpTrace WarpTracer::take() {
  goOn(EndOfBlock, EndOfBlock);
  return std::move(Trace);
}

void WarpTracer::goOn(uint32_t End, uint32_t Next) {
  if (End > NextOp) {
    IsBehindFence |= FencesBefore[End] > FencesBefore[NextOp];
    Trace.Barriers += BarriersBefore[End] - BarriersBefore[NextOp];
  }
  NextOp = Next;
}

void WarpTracer::onBlock(uint32_t Block, LaneMask /*Active*/,
                         double /*Weight*/) {
  // What is left of the block that the walk leaves.
  goOn(EndOfBlock, Facts.Blocks[Block].FirstOp);
  EndOfBlock = Facts.Blocks[Block].FirstOp + Facts.Blocks[Block].NumOps;
}

void WarpTracer::onAccess(const AccessEvent &E) {
  const MemoryAccess &M = Facts.Accesses[E.Access];
  // What releases has its fence before it.
  goOn(M.Op + 1, M.Op + 1);
  if (!E.Active || !isTraced(M))
    return;
  RequestAddresses R = requestAddresses(E, M.BytesPerLane);
  MemorySpace Space = resolvedSpace(M.Space, R);
  TraceEvent Event;
  Event.Access = E.Access;
  Event.First = uint32_t(Trace.Touches.size());
  Event.Weight = E.Weight;
  Event.IsLocal = Space == MemorySpace::Local;
  Event.IsBehindFence = IsBehindFence;
  Event.TurnsLeftOut = std::exchange(TurnsLeftOut[E.Access], 0);
  Event.Barriers = Trace.Barriers;
  if (Space == MemorySpace::Local) {
    // Each warp has local memory of its own.
    for (RequestAddresses &Word : localRequests(R)) {
      for (uint64_t &A : Word.Address)
        A = (A & lowBits(ObjectWindowLog2)) + (WarpKey << ObjectWindowLog2);
      add(Word, /*IsLocal=*/true);
    }
  } else if (Space != MemorySpace::Shared) {
    add(R, /*IsLocal=*/false);
  }
  Event.Count = uint32_t(Trace.Touches.size()) - Event.First;
  if (!Event.Count)
    return;
  Trace.Events.push_back(Event);
  IsBehindFence = false;
}

/// The lines of request \p R, each with its sectors, in order.
void WarpTracer::add(const RequestAddresses &R, bool IsLocal) {
  SmallVector<std::pair<uint64_t, unsigned>, 64> Sectors;
  forEachPiece(R, AllLanes, G.SectorBytes, [&](uint64_t Sector) {
    if (!Sectors.empty() && Sectors.back().first == Sector)
      Sectors.back().second += R.BytesPerLane;
    else
      Sectors.push_back({Sector, R.BytesPerLane});
  });
  // As they are in most requests, in which lanes follow each other.
  if (!llvm::is_sorted(Sectors))
    llvm::sort(Sectors);
  const size_t First = Trace.Touches.size();
  for (auto [Sector, Bytes] : Sectors) {
    uint64_t Line = Sector / SectorsPerLine;
    uint8_t Bit = uint8_t(1u << (Sector % SectorsPerLine));
    if (Trace.Touches.size() == First || Trace.Touches.back().Line != Line)
      Trace.Touches.push_back({Line, 0, 0, IsLocal});
    Trace.Touches.back().Sectors |= Bit;
    if (Bytes >= G.SectorBytes)
      Trace.Touches.back().Whole |= Bit;
  }
}
