//===- ShareLikePtxas.cpp - Reciprocals that divisions share --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// ptxas expands a division of 32-bit integers into the reciprocal of the
/// divisor and a product with it, and then treats the two like any other code:
/// the reciprocal moves out of loops that do not change the divisor and divide
/// in each iteration, and divisions by the same divisor share it. Read from
/// nvdisasm of ptxas 13.0 (test/accuracy/pairs/division.cu: 18 of 28
/// instructions are left in the loop).
///
/// Divisions of floating point that need not be exact (div.full.f32) are
/// products with a reciprocal too: both sides are scaled by powers of two if
/// the divisor is very large or very small. Sixteen by one divisor have one
/// MUFU.RCP, two comparisons, and three products each beside the divisor's two.
///
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

/// What of a division or remainder depends on the divisor alone.
static constexpr Emission OfUnsigned[] = {
    {InstClass::CvtI2F, 1, 0}, {InstClass::MufuRcp, 1, 0},
    {InstClass::CvtF2I, 1, 0}, {InstClass::IAdd3, 1, 0},
    {InstClass::Mov, 1, 0},    {InstClass::IMad, 2, 0},
    {InstClass::IMadHi, 1, 0}, {InstClass::Lop3, 1, 0},
    {InstClass::ISetp, 1, 0}};
static constexpr Emission OfSigned[] = {{InstClass::IAbs, 1, 0}};
static constexpr Emission OfFull[] = {{InstClass::MufuRcp, 1, 0},
                                      {InstClass::FSetp, 2, 0},
                                      {InstClass::FMul, 2, 0}};

namespace {

class Sharer {
public:
  explicit Sharer(KernelFacts &Facts) : Facts(Facts) {}

  void run() {
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
      if (isDivision(Facts.Operations[I]) ||
          isFullDivision(Facts.Operations[I]))
        visit(I);
  }

private:
  KernelFacts &Facts;
  /// Divisors, whether they are signed, and the block that has what depends on
  /// them.
  std::set<std::tuple<uint32_t, bool, uint32_t>> Computed;

  static bool isSigned(const Operation &Op) {
    return Op.What == Semantics::DivS || Op.What == Semantics::RemS;
  }

  static bool isDivision(const Operation &Op) {
    bool Divides = isSigned(Op) || Op.What == Semantics::DivU ||
                   Op.What == Semantics::RemU;
    return Divides && Op.Bits == 32 && Op.Operands[1].isValue();
  }

  /// div.full.f32: "FDIV32rr" and "FDIV32ri".
  static bool isFullDivision(const Operation &Op) {
    return (Op.Opcode == "FDIV32rr" || Op.Opcode == "FDIV32ri") &&
           Op.Operands.size() >= 2 && Op.Operands[1].isValue();
  }

  bool isOutside(uint32_t Block, uint32_t Loop) const {
    return Loop != NoIndex && !is_contained(Facts.Loops[Loop].Blocks, Block);
  }

  /// True if each iteration of its loop passes \p Block.
  bool isInEachIteration(uint32_t Block) const {
    const gpuocc::Loop &L = Facts.Loops[Facts.Blocks[Block].Loop];
    if (Block == L.Header)
      return true;
    std::set<uint32_t> Seen = {Block, L.Header};
    SmallVector<uint32_t, 8> Open = {L.Header};
    while (!Open.empty()) {
      uint32_t At = Open.pop_back_val();
      if (is_contained(L.Latches, At))
        return false;
      for (uint32_t Next : Facts.Blocks[At].Successors)
        if (is_contained(L.Blocks, Next) && Seen.insert(Next).second)
          Open.push_back(Next);
    }
    return true;
  }

  void visit(uint32_t I) {
    Operation &Division = Facts.Operations[I];
    uint32_t Divisor = Division.Operands[1].Index;
    Operation &Definition = Facts.Operations[Divisor];
    bool Moves =
        Definition.What != Semantics::Phi &&
        isOutside(Definition.Block, Facts.Blocks[Division.Block].Loop) &&
        isInEachIteration(Division.Block);
    uint32_t Home = Moves ? Definition.Block : Division.Block;
    bool First = Computed.insert({Divisor, isSigned(Division), Home}).second;
    if (!Moves && First)
      return;
    auto Move = [&](ArrayRef<Emission> Parts) {
      for (const Emission &Part : Parts)
        take(Division, Part);
      if (First && Moves)
        Definition.Emits.append(Parts.begin(), Parts.end());
    };
    if (isFullDivision(Division))
      return Move(OfFull);
    Move(OfUnsigned);
    if (isSigned(Division))
      Move(OfSigned);
  }

  static void take(Operation &Division, const Emission &Part) {
    for (Emission &E : Division.Emits)
      if (E.Class == Part.Class) {
        E.Count = std::max(0.0f, E.Count - Part.Count);
        E.OnPath = std::min(E.OnPath, E.Count);
      }
    erase_if(Division.Emits, [](const Emission &E) { return E.Count == 0; });
  }
};

} // namespace

void gpuocc::shareDivisorsLikePtxas(KernelFacts &Facts) { Sharer(Facts).run(); }
