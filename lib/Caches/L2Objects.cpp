//===- L2Objects.cpp - Objects as L2 sees them ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "L2Objects.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

static double unionBytes(const std::set<AddressRange> &Ranges) {
  double Sum = 0;
  uint64_t End = 0;
  for (const AddressRange &R : Ranges) {
    Sum += double(std::max(R.High, End) - std::max(R.Low, End));
    End = std::max(R.High, End);
  }
  return Sum;
}

double ReuseGroup::distinct() const {
  return High > Low ? std::min({ReachedBytes, Asked * OwnShare, Single}) : 0;
}

std::map<uint32_t, double> L2Object::byLoop(double Bytes) const {
  std::vector<std::pair<size_t, uint32_t>> InOrder;
  InOrder.reserve(ByLoop.size());
  for (const auto &[Loop, G] : ByLoop)
    InOrder.push_back({G.FirstAccess, Loop});
  llvm::sort(InOrder);
  std::map<uint32_t, double> Share;
  double Left = Bytes, Room = 0;
  for (auto [First, Loop] : InOrder) {
    const ReuseGroup &G = ByLoop.at(Loop);
    double Brought = std::min({G.distinct(), G.Missed, Left});
    Share[Loop] = Brought;
    Left -= Brought;
    Room += std::max(0.0, G.Missed - Brought);
  }
  if (Left > 0 && Room > 0)
    for (auto &[Loop, Brought] : Share)
      Brought += std::max(0.0, ByLoop.at(Loop).Missed - Brought) *
                 std::min(1.0, Left / Room);
  return Share;
}

ObjectKey gpuocc::objectOf(const KernelFacts &Facts,
                           ArrayRef<AddressRange> Ranges, size_t Access) {
  return {Facts.Accesses[Access].Kind == AccessKind::Store,
          Ranges[Access].Low >> ObjectWindowLog2};
}

OwnShares gpuocc::findOwnShares(const WalkedLaunch &L,
                                ArrayRef<AddressRange> Ranges) {
  std::map<ObjectKey, unsigned> Objects;
  std::map<std::pair<ObjectKey, uint32_t>, unsigned> Loops;
  std::map<ObjectKey, unsigned> LoopsOf;
  AccessGroups Groups;
  Groups.OfAccess.resize(Ranges.size());
  for (size_t I = 0; I < Ranges.size(); ++I) {
    if (Ranges[I].isEmpty())
      continue;
    const ObjectKey Key = objectOf(L.facts(), Ranges, I);
    auto [It, New] = Loops.try_emplace({Key, L.loopOf(I)}, Groups.Count);
    Groups.Count += New;
    LoopsOf[Key] += New;
    Groups.OfAccess[I].push_back(It->second);
  }
  // What one loop does to an object is all that is done to it.
  for (const auto &[Key, Group] : Loops) {
    const bool IsAlone = LoopsOf[Key.first] == 1;
    auto [It, New] =
        Objects.try_emplace(Key.first, IsAlone ? Group : Groups.Count);
    Groups.Count += New && !IsAlone;
  }
  for (size_t I = 0; I < Ranges.size(); ++I)
    if (!Ranges[I].isEmpty())
      if (const ObjectKey Key = objectOf(L.facts(), Ranges, I);
          LoopsOf[Key] > 1)
        Groups.OfAccess[I].push_back(Objects[Key]);
  const std::vector<double> Shares = L.distinctShares(Groups);
  OwnShares Own;
  for (const auto &[Key, Group] : Objects)
    Own.OfObject[Key] = Shares[Group];
  for (const auto &[Key, Group] : Loops)
    Own.OfLoop[Key] = Shares[Group];
  return Own;
}

L2Objects gpuocc::findObjects(const WalkedLaunch &L,
                              const ExecutionProfile &Profile,
                              ArrayRef<AddressRange> Ranges,
                              const OwnShares &Own, double NumWarps) {
  const unsigned SectorBytes = L.geometry().SectorBytes;
  L2Objects Objects;
  for (size_t I = 0; I < Ranges.size(); ++I) {
    const AccessProfile &A = Profile.Accesses[I];
    if (Ranges[I].isEmpty() || A.RequestsPerWarp == 0)
      continue;
    double Asked =
        A.RequestsPerWarp * A.SectorsPerRequest * SectorBytes * NumWarps;
    bool Passes = L.facts().Accesses[I].Kind != AccessKind::Load;
    double Missed = Passes ? Asked : Asked * (1 - A.L1HitFraction);
    const ObjectKey Key = objectOf(L.facts(), Ranges, I);
    const uint32_t Loop = L.loopOf(I);
    L2Object &O = Objects[Key];
    if (auto It = Own.OfObject.find(Key); It != Own.OfObject.end())
      O.All.OwnShare = It->second;
    if (auto It = Own.OfLoop.find({Key, Loop}); It != Own.OfLoop.end())
      O.ByLoop[Loop].OwnShare = It->second;
    for (ReuseGroup *G : {&O.All, &O.ByLoop[Loop]}) {
      G->Low = std::min(G->Low, Ranges[I].Low);
      G->High = std::max(G->High, Ranges[I].High);
      if (G->Reached.insert(Ranges[I]).second)
        G->Single += std::min(Asked, Ranges[I].bytes(SectorBytes));
      G->Asked += Asked;
      G->Missed += Missed;
      G->FirstAccess = std::min(G->FirstAccess, I);
      if (!A.IsInOrder)
        G->Random += Missed;
    }
  }
  for (auto &[Key, O] : Objects) {
    O.All.ReachedBytes = unionBytes(O.All.Reached);
    for (auto &[Loop, G] : O.ByLoop)
      G.ReachedBytes = unionBytes(G.Reached);
  }
  return Objects;
}
