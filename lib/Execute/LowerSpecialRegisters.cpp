//===- LowerSpecialRegisters.cpp - Special registers of a thread ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "State.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// Registers with a number for each dimension, in the block's state.
struct DimensionRow {
  StringLiteral Name;
  uint64_t Offset;
};

/// Registers that answer the same always.
struct ConstantRow {
  StringLiteral Name;
  uint32_t Number;
};

} // namespace

static constexpr DimensionRow BlockDimensions[] = {
    {"ctaid.", offsetof(BlockState, Index)},
    {"ntid.", offsetof(BlockState, BlockSize)},
    {"nctaid.", offsetof(BlockState, GridSize)},
    {"clusterid.", offsetof(BlockState, ClusterIndex)},
    {"nclusterid.", offsetof(BlockState, NumClusters)},
    {"cluster.ctaid.", offsetof(BlockState, InCluster)},
    {"cluster.nctaid.", offsetof(BlockState, ClusterSize)},
};

static constexpr DimensionRow BlockNumbers[] = {
    {"cluster.ctarank", offsetof(BlockState, ClusterRank)},
    {"cluster.nctarank", offsetof(BlockState, ClusterBlocks)},
    {"smid", offsetof(BlockState, Worker)},
    {"nsmid", offsetof(BlockState, NumWorkers)},
    {"dynamic.smem.size", offsetof(BlockState, DynamicSharedBytes)},
    {"total.smem.size", offsetof(BlockState, SharedBytes)},
    {"aggr.smem.size", offsetof(BlockState, SharedBytes)},
};

static constexpr ConstantRow Constants[] = {{"warpsize", WarpLanes}};

/// The dimension that "tid.x" ends in; nothing for "tid.w".
static std::optional<unsigned> dimensionOf(StringRef Name) {
  const size_t Found = StringRef("xyz").find(Name.back());
  return Found == StringRef::npos ? std::nullopt
                                  : std::optional<unsigned>(unsigned(Found));
}

/// A mask of lanes by the lane's own number.
static Value *laneMask(CallLowering &L, Value *Lane, StringRef Which) {
  IRBuilder<> &B = L.Builder;
  Value *Own = B.CreateShl(L.number(1), Lane);
  Value *Below = B.CreateSub(Own, L.number(1));
  if (Which == "eq")
    return Own;
  if (Which == "lt")
    return Below;
  if (Which == "le")
    return B.CreateOr(Own, Below);
  if (Which == "ge")
    return B.CreateNot(Below);
  return B.CreateNot(B.CreateOr(Own, Below));
}

/// The halves of an address that code joins: %envreg1 is the upper one.
static Value *workspaceHalf(CallLowering &L, unsigned Shift) {
  Value *Address = L.field(L.block(), offsetof(BlockState, GridWorkspace),
                           L.Builder.getInt64Ty());
  return L.Builder.CreateTrunc(L.Builder.CreateLShr(Address, Shift),
                               L.Builder.getInt32Ty());
}

static Value *registerOf(CallLowering &L, StringRef Name) {
  IRBuilder<> &B = L.Builder;
  Type *T = B.getInt32Ty();
  auto InThread = [&](uint64_t Offset) {
    return L.field(L.thread(), Offset, T);
  };
  if (Name.starts_with("tid.")) {
    const auto D = dimensionOf(Name);
    return D ? InThread(offsetof(ThreadState, Index) + 4 * *D) : L.number(0);
  }
  for (const DimensionRow &R : BlockDimensions)
    if (Name.starts_with(R.Name)) {
      const auto D = dimensionOf(Name);
      return D ? L.field(L.block(), R.Offset + 4 * *D, T) : L.number(0);
    }
  for (const DimensionRow &R : BlockNumbers)
    if (Name == R.Name)
      return L.field(L.block(), R.Offset, T);
  for (const ConstantRow &R : Constants)
    if (Name == R.Name)
      return L.number(R.Number);
  Value *Rank = InThread(offsetof(ThreadState, Rank));
  if (Name == "laneid")
    return B.CreateAnd(Rank, WarpLanes - 1);
  if (Name == "warpid")
    return B.CreateLShr(Rank, 5);
  if (Name.consume_front("lanemask."))
    return laneMask(L, B.CreateAnd(Rank, WarpLanes - 1), Name);
  if (Name == "envreg1")
    return workspaceHalf(L, 32);
  if (Name == "envreg2")
    return workspaceHalf(L, 0);
  if (Name == "gridid")
    return L.field(L.block(), offsetof(BlockState, GridId), B.getInt64Ty());
  if (Name == "clock" || Name == "clock64" || Name == "clock.hi" ||
      Name.starts_with("globaltimer")) {
    L.Found.Effects = RunEffects::Others;
    Value *Time =
        L.callRuntime(Name.starts_with("clock") ? "gpuoccClock" : "gpuoccTimer",
                      B.getInt64Ty(), {});
    return Name.ends_with(".hi") ? B.CreateLShr(Time, 32) : Time;
  }
  return nullptr;
}

Value *gpuocc::execute::lowerSpecialRegister(CallLowering &L, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm.read.ptx.sreg."))
    return nullptr;
  Value *V = registerOf(L, Name);
  return V ? L.Builder.CreateZExtOrTrunc(V, L.Call.getType()) : nullptr;
}
