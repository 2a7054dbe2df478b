//===- ClusterAddresses.cpp - Shared memory of other blocks ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/ClusterAddresses.h"
#include "PtxWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallSet.h"

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

static bool isOfCluster(const KernelFacts &Facts, const Operand &Of) {
  SmallVector<uint32_t, 8> Work;
  SmallSet<uint32_t, 16> Seen;
  auto Visit = [&](const Operand &O) {
    if (O.isValue() && Seen.insert(O.Index).second)
      Work.push_back(O.Index);
  };
  for (Visit(Of); !Work.empty();) {
    const Operation &Op = Facts.Operations[Work.pop_back_val()];
    if (Op.What == Semantics::Load)
      continue;
    if (isClusterOffset(Facts, Op))
      return true;
    for (const Operand &O : Op.Operands)
      Visit(O);
  }
  return false;
}

std::vector<bool> gpuocc::accessesOfCluster(const KernelFacts &Facts) {
  std::vector<bool> Is(Facts.Accesses.size());
  if (none_of(Facts.Operations, [](const Operation &Op) {
        return Op.SReg == SpecialReg::ClusterCtaRank;
      }))
    return Is;
  for (auto [I, A] : enumerate(Facts.Accesses))
    Is[I] =
        (A.Space == MemorySpace::Shared || A.Space == MemorySpace::Generic) &&
        isOfCluster(Facts, A.Base);
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
