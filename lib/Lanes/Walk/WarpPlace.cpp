//===- WarpPlace.cpp - The warp that special registers speak of -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walk/WarpPlace.h"
#include <algorithm>

using namespace gpuocc;

/// The 32-bit number that \p Compute has for each lane.
template <typename Function> static LaneValue ofLanes(Function Compute) {
  LaneValue V;
  V.Uniform = false;
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
    V.V[Lane] = Compute(uint64_t(Lane)) & 0xffffffffu;
  return V;
}

WarpPlace::WarpPlace(Dim3 Grid, Dim3 Block, Dim3 Cluster,
                     uint64_t DynamicSharedBytes, TaintMask GridTaint)
    : Grid(Grid), Block(Block), Cluster(Cluster),
      DynamicSharedBytes(DynamicSharedBytes), GridTaint(GridTaint),
      NumWarps(unsigned(std::min<uint64_t>(
          (Block.count() + WarpLanes - 1) / WarpLanes, 32))) {}

LaneMask WarpPlace::select(Dim3 OfBlock, unsigned OfWarp) {
  Index = OfBlock;
  Warp = OfWarp;
  LaneMask Present = 0;
  const uint64_t Threads = Block.count();
  for (LaneValue &T : Tid)
    T.Uniform = false;
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane) {
    const uint64_t Thread = uint64_t(Warp) * WarpLanes + Lane;
    if (Thread < Threads)
      Present |= LaneMask(1) << Lane;
    Tid[0].V[Lane] = Thread % Block.X;
    Tid[1].V[Lane] = Thread / Block.X % Block.Y;
    Tid[2].V[Lane] = Thread / (Block.X * Block.Y);
  }
  for (LaneValue &T : Tid)
    T.Uniform = std::all_of(T.V.begin(), T.V.end(),
                            [&](uint64_t V) { return V == T.V[0]; });
  return Present;
}

LaneValue WarpPlace::specialRegister(SpecialReg R) const {
  auto OfGrid = [&](uint64_t Extent) {
    LaneValue V(Extent);
    V.Base = GridTaint;
    return V;
  };
  switch (R) {
  case SpecialReg::TidX:
    return Tid[0];
  case SpecialReg::TidY:
    return Tid[1];
  case SpecialReg::TidZ:
    return Tid[2];
  case SpecialReg::NTidX:
    return LaneValue(Block.X);
  case SpecialReg::NTidY:
    return LaneValue(Block.Y);
  case SpecialReg::NTidZ:
    return LaneValue(Block.Z);
  case SpecialReg::CtaIdX:
    return LaneValue(Index.X);
  case SpecialReg::CtaIdY:
    return LaneValue(Index.Y);
  case SpecialReg::CtaIdZ:
    return LaneValue(Index.Z);
  case SpecialReg::NCtaIdX:
    return OfGrid(Grid.X);
  case SpecialReg::NCtaIdY:
    return OfGrid(Grid.Y);
  case SpecialReg::NCtaIdZ:
    return OfGrid(Grid.Z);
  case SpecialReg::ClusterCtaIdX:
    return LaneValue(Index.X % Cluster.X);
  case SpecialReg::ClusterCtaIdY:
    return LaneValue(Index.Y % Cluster.Y);
  case SpecialReg::ClusterCtaIdZ:
    return LaneValue(Index.Z % Cluster.Z);
  case SpecialReg::ClusterNCtaIdX:
    return LaneValue(Cluster.X);
  case SpecialReg::ClusterNCtaIdY:
    return LaneValue(Cluster.Y);
  case SpecialReg::ClusterNCtaIdZ:
    return LaneValue(Cluster.Z);
  case SpecialReg::ClusterIdX:
    return LaneValue(Index.X / Cluster.X);
  case SpecialReg::ClusterIdY:
    return LaneValue(Index.Y / Cluster.Y);
  case SpecialReg::ClusterIdZ:
    return LaneValue(Index.Z / Cluster.Z);
  case SpecialReg::NClusterIdX:
    return OfGrid(Grid.X / Cluster.X);
  case SpecialReg::NClusterIdY:
    return OfGrid(Grid.Y / Cluster.Y);
  case SpecialReg::NClusterIdZ:
    return OfGrid(Grid.Z / Cluster.Z);
  case SpecialReg::ClusterCtaRank:
    return LaneValue(
        (uint64_t(Index.Z % Cluster.Z) * Cluster.Y + Index.Y % Cluster.Y) *
            Cluster.X +
        Index.X % Cluster.X);
  case SpecialReg::ClusterNCtaRank:
    return LaneValue(Cluster.count());
  case SpecialReg::LaneId:
    return ofLanes([](uint64_t Lane) { return Lane; });
  case SpecialReg::WarpId:
    return LaneValue(Warp);
  case SpecialReg::NWarpId:
    return LaneValue(NumWarps);
  case SpecialReg::LaneMaskEq:
    return ofLanes([](uint64_t Lane) { return uint64_t(1) << Lane; });
  case SpecialReg::LaneMaskLt:
    return ofLanes([](uint64_t Lane) { return (uint64_t(1) << Lane) - 1; });
  case SpecialReg::LaneMaskLe:
    return ofLanes([](uint64_t Lane) { return (uint64_t(2) << Lane) - 1; });
  case SpecialReg::LaneMaskGt:
    return ofLanes([](uint64_t Lane) { return ~((uint64_t(2) << Lane) - 1); });
  case SpecialReg::LaneMaskGe:
    return ofLanes([](uint64_t Lane) { return ~((uint64_t(1) << Lane) - 1); });
  case SpecialReg::DynamicSharedBytes:
    return LaneValue(DynamicSharedBytes);
  case SpecialReg::WarpSize:
    return LaneValue(WarpLanes);
  case SpecialReg::None:
  case SpecialReg::SmId:
  case SpecialReg::Clock:
  case SpecialReg::GlobalTimer:
  case SpecialReg::Other:
    break;
  }
  LaneValue V;
  V.Base = OpaqueTaint;
  return V;
}
