//===- ClusterAddresses.cpp - Shared memory of other blocks ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ClusterAddresses.h"
#include "PtxWriter.h"
#include "gpuocc/Kernel/OperationsBehind.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static bool isNumber(const Operand &O, uint64_t Number) {
  return O.isImmediate() && uint64_t(O.Imm) == Number;
}

/// Is \p Op what mapa adds to an address?
static bool isClusterOffset(const KernelFacts &Facts, const Operation &Op) {
  if (Op.What != Semantics::Shl || Op.Operands.size() != 2 ||
      !isNumber(Op.Operands[1], ClusterRankLog2) || !Op.Operands[0].isValue())
    return false;
  const Operation &Ranks = Facts.Operations[Op.Operands[0].Index];
  return Ranks.What == Semantics::And && Ranks.Operands.size() == 2 &&
         isNumber(Ranks.Operands[1], ClusterRanks);
}

std::vector<bool> gpuocc::accessesOfCluster(const KernelFacts &Facts) {
  std::vector<bool> Is(Facts.Accesses.size());
  if (!readsRegister(Facts, SpecialReg::ClusterCtaRank))
    return Is;
  for (auto [I, A] : enumerate(Facts.Accesses))
    Is[I] =
        (A.Space == MemorySpace::Shared || A.Space == MemorySpace::Generic) &&
        anyOperationBehind(Facts, A.Base, [&](const Operation &Op) {
          return isClusterOffset(Facts, Op);
        });
  return Is;
}

/// "mapa.u64 d, a, rank": a block's own rank changes nothing.
static bool writeMapped(PtxWriter &W) {
  const unsigned Bits = W.type().Bits;
  if (W.size() < 2 || Bits == 0)
    return false;
  const PtxRef Further =
      W.bitAnd(32, W.sub(32, W.in(1), W.special(SpecialReg::ClusterCtaRank)),
               PtxWriter::number(ClusterRanks));
  const PtxRef Offset = W.shl(32, Further, PtxWriter::number(ClusterRankLog2));
  return W.done(W.add(Bits, W.in(0), W.extend(false, Bits, 32, Offset)));
}

ArrayRef<PtxLiftRow> gpuocc::ptxClusterRows() {
  static constexpr PtxLiftRow Rows[] = {{"mapa", writeMapped}};
  return Rows;
}
