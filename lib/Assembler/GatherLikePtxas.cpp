//===- GatherLikePtxas.cpp - Where products want their operands -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// A result of an operation.
using ResultKey = std::pair<uint32_t, uint16_t>;

/// Products read tuples of neighboring registers, aligned to their number.
/// Results of one load, or of one product, are neighbors. ptxas makes a tuple
/// of others of them by moves before each product that reads it, unless the
/// product before reads the same one; a value of its own is computed in the
/// first tuple that reads it, and moved to others.
///
/// Source: SASS of ptxas 13.0 for sm_90 of products whose second factor is
/// loaded by ldmatrix.x4 and read as (0, 2) and (1, 3): two moves for each
/// HMMA, 62 of 64 in a loop of 32; of one that reads a value twice: one move
/// for each.
///
/// Descriptors of shared memory that wgmma reads lie in uniform registers, both
/// in four neighbors. Those that are the same for all lanes are moved there
/// from others; of others both halves are read from registers, and the
/// constant half is written there each time (two R2UR, two UMOV and a MOV for
/// each HGMMA of a product of two warp groups).
class Gatherer {
public:
  explicit Gatherer(KernelFacts &Facts)
      : Facts(Facts), Uniform(uniformOperations(Facts)) {}

  void run() {
    for (const BasicBlock &B : Facts.Blocks) {
      Previous.clear();
      for (uint32_t I = B.FirstOp; I != B.FirstOp + B.NumOps; ++I)
        if (!Facts.Operations[I].Tuples.empty())
          gather(Facts.Operations[I]);
    }
  }

private:
  using Tuple = SmallVector<Operand, 4>;

  /// What \p O is a copy of.
  Operand rootOf(Operand O) const {
    for (unsigned Steps = 0; Steps != MostCopies && O.isValue(); ++Steps) {
      const Operation &Op = Facts.Operations[O.Index];
      if (Op.What != Semantics::Copy || !Op.Emits.empty() ||
          Op.Operands.size() != 1)
        break;
      O = Op.Operands[0];
    }
    return O;
  }

  bool isOneOfSeveral(const Operand &O) const {
    return O.isValue() && Facts.Operations[O.Index].NumResults > 1;
  }

  /// Are the registers of \p T the results of one operation, in their places?
  bool isInPlace(const Tuple &T) const {
    if (!isOneOfSeveral(T[0]) || T[0].Result % T.size() != 0)
      return false;
    for (size_t I = 0; I != T.size(); ++I)
      if (!T[I].isValue() || T[I].Index != T[0].Index ||
          T[I].Result != T[0].Result + I)
        return false;
    return true;
  }

  void gather(Operation &Op) {
    SmallVector<Tuple, 4> Read;
    size_t At = 0;
    unsigned Moves = 0;
    for (uint32_t Size : Op.Tuples) {
      Tuple T;
      for (uint32_t I = 0; I != Size; ++I)
        T.push_back(rootOf(Op.Operands[At + I]));
      if (Size > 1)
        Moves += movesFor(T);
      else
        placeDescriptor(Op, Op.Operands[At]);
      At += Size;
      Read.push_back(std::move(T));
    }
    Previous = std::move(Read);
    if (Moves != 0)
      Op.Emits.insert(Op.Emits.begin(), {InstClass::Mov, float(Moves), 1});
  }

  unsigned movesFor(const Tuple &T) {
    if (isInPlace(T) || is_contained(Previous, T))
      return 0;
    unsigned Moves = 0;
    for (size_t I = 0; I != T.size(); ++I) {
      if (!T[I].isValue())
        continue;
      if (isOneOfSeveral(T[I])) {
        ++Moves;
        continue;
      }
      auto [Home, IsNew] =
          Homes.try_emplace({T[I].Index, T[I].Result}, HomeOf{T, I});
      Moves += Home->second.Place != I || Home->second.Members != T;
    }
    return Moves;
  }

  /// Descriptors have 64 bits.
  void placeDescriptor(Operation &Op, const Operand &O) const {
    if (!O.isValue() || !StringRef(Op.Opcode).starts_with("wgmma."))
      return;
    const Operand Root = rootOf(O);
    if (!Root.isValue() || Facts.Operations[Root.Index].Bits != 64)
      return;
    if (Uniform[Root.Index])
      Op.Emits.insert(Op.Emits.begin(), {InstClass::UInt, 2, 1});
    else
      Op.Emits.insert(Op.Emits.begin(), {Emission(InstClass::Mov, 1, 0),
                                         Emission(InstClass::R2UR, 2, 1)});
  }

  static constexpr unsigned MostCopies = 16;

  KernelFacts &Facts;
  const std::vector<bool> Uniform;
  /// The tuple that a value is computed in, and where in it.
  struct HomeOf {
    Tuple Members;
    size_t Place;
  };
  DenseMap<ResultKey, HomeOf> Homes;
  /// What the product before in the block reads.
  SmallVector<Tuple, 4> Previous;
};

} // namespace

void gpuocc::gatherTuplesLikePtxas(KernelFacts &Facts) {
  Gatherer(Facts).run();
}
