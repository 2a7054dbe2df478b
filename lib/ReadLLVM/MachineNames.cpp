//===- MachineNames.cpp - Names of the backend ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineNames.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gpuocc;
using namespace llvm;

SpecialReg gpuocc::specialRegister(StringRef Name) {
  return StringSwitch<SpecialReg>(Name)
      .Case("INT_PTX_SREG_TID_x", SpecialReg::TidX)
      .Case("INT_PTX_SREG_TID_y", SpecialReg::TidY)
      .Case("INT_PTX_SREG_TID_z", SpecialReg::TidZ)
      .Case("INT_PTX_SREG_NTID_x", SpecialReg::NTidX)
      .Case("INT_PTX_SREG_NTID_y", SpecialReg::NTidY)
      .Case("INT_PTX_SREG_NTID_z", SpecialReg::NTidZ)
      .Case("INT_PTX_SREG_CTAID_x", SpecialReg::CtaIdX)
      .Case("INT_PTX_SREG_CTAID_y", SpecialReg::CtaIdY)
      .Case("INT_PTX_SREG_CTAID_z", SpecialReg::CtaIdZ)
      .Case("INT_PTX_SREG_NCTAID_x", SpecialReg::NCtaIdX)
      .Case("INT_PTX_SREG_NCTAID_y", SpecialReg::NCtaIdY)
      .Case("INT_PTX_SREG_NCTAID_z", SpecialReg::NCtaIdZ)
      .Case("INT_PTX_SREG_CLUSTER_CTAID_x", SpecialReg::ClusterCtaIdX)
      .Case("INT_PTX_SREG_CLUSTER_CTAID_y", SpecialReg::ClusterCtaIdY)
      .Case("INT_PTX_SREG_CLUSTER_CTAID_z", SpecialReg::ClusterCtaIdZ)
      .Case("INT_PTX_SREG_CLUSTER_NCTAID_x", SpecialReg::ClusterNCtaIdX)
      .Case("INT_PTX_SREG_CLUSTER_NCTAID_y", SpecialReg::ClusterNCtaIdY)
      .Case("INT_PTX_SREG_CLUSTER_NCTAID_z", SpecialReg::ClusterNCtaIdZ)
      .Case("INT_PTX_SREG_CLUSTERID_x", SpecialReg::ClusterIdX)
      .Case("INT_PTX_SREG_CLUSTERID_y", SpecialReg::ClusterIdY)
      .Case("INT_PTX_SREG_CLUSTERID_z", SpecialReg::ClusterIdZ)
      .Case("INT_PTX_SREG_NCLUSTERID_x", SpecialReg::NClusterIdX)
      .Case("INT_PTX_SREG_NCLUSTERID_y", SpecialReg::NClusterIdY)
      .Case("INT_PTX_SREG_NCLUSTERID_z", SpecialReg::NClusterIdZ)
      .Case("INT_PTX_SREG_CLUSTER_CTARANK", SpecialReg::ClusterCtaRank)
      .Case("INT_PTX_SREG_CLUSTER_NCTARANK", SpecialReg::ClusterNCtaRank)
      .Case("SREG_LANEID", SpecialReg::LaneId)
      .Case("SREG_WARPID", SpecialReg::WarpId)
      .Case("SREG_NWARPID", SpecialReg::NWarpId)
      .Case("SREG_SMID", SpecialReg::SmId)
      .Case("INT_PTX_SREG_LANEMASK_EQ", SpecialReg::LaneMaskEq)
      .Case("INT_PTX_SREG_LANEMASK_LT", SpecialReg::LaneMaskLt)
      .Case("INT_PTX_SREG_LANEMASK_LE", SpecialReg::LaneMaskLe)
      .Case("INT_PTX_SREG_LANEMASK_GT", SpecialReg::LaneMaskGt)
      .Case("INT_PTX_SREG_LANEMASK_GE", SpecialReg::LaneMaskGe)
      .Case("INT_PTX_SREG_WARPSIZE", SpecialReg::WarpSize)
      .Case("INT_PTX_SREG_DYNAMIC_SMEM_SIZE", SpecialReg::DynamicSharedBytes)
      .StartsWith("SREG_CLOCK", SpecialReg::Clock)
      .StartsWith("SREG_GLOBALTIMER", SpecialReg::GlobalTimer)
      .Default(SpecialReg::Other);
}

ComparePredicate gpuocc::comparePredicate(int64_t Mode) {
  static constexpr ComparePredicate Modes[] = {
      ComparePredicate::EQ,    ComparePredicate::NE,  ComparePredicate::LTS,
      ComparePredicate::LES,   ComparePredicate::GTS, ComparePredicate::GES,
      ComparePredicate::Other, // EQU
      ComparePredicate::Other, // NEU
      ComparePredicate::LTU,   ComparePredicate::LEU, ComparePredicate::GTU,
      ComparePredicate::GEU};
  return Mode >= 0 && Mode < int64_t(std::size(Modes))
             ? Modes[Mode]
             : ComparePredicate::Other;
}

FloatPredicate gpuocc::floatPredicate(int64_t Mode) {
  constexpr int64_t FirstUnordered = 6, NumOrdered = 6, IsNumber = 12;
  const bool HoldsForNaN = Mode >= FirstUnordered && Mode != IsNumber;
  const int64_t Ordered = HoldsForNaN ? Mode - FirstUnordered : Mode;
  return {Ordered < NumOrdered ? comparePredicate(Ordered)
                               : ComparePredicate::Other,
          HoldsForNaN};
}

std::optional<IntegerRounding> gpuocc::integerRounding(int64_t Mode) {
  constexpr int64_t FlushSubnormals = 0x10, RoundToNearest = 5;
  Mode &= ~FlushSubnormals;
  if (Mode == RoundToNearest)
    return IntegerRounding::None;
  if (Mode >= 0 && Mode <= int64_t(IntegerRounding::Up))
    return IntegerRounding(Mode);
  return std::nullopt;
}

ShuffleKind gpuocc::shuffleKind(StringRef Name) {
  return StringSwitch<ShuffleKind>(Name)
      .StartsWith("shfl.sync.up", ShuffleKind::Up)
      .StartsWith("shfl.sync.down", ShuffleKind::Down)
      .StartsWith("shfl.sync.bfly", ShuffleKind::Bfly)
      .StartsWith("shfl.sync.idx", ShuffleKind::Idx)
      .Default(ShuffleKind::None);
}
