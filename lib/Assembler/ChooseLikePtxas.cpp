//===- ChooseLikePtxas.cpp - Choices that need no instruction -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/InstTraits.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace gpuocc;
using namespace llvm;

namespace {

/// A select of a value that is computed for it alone needs no SEL: the
/// instruction that computes it is predicated, and writes where the other value
/// is, if that is not needed any more.
///
/// Source: ptxas 13.0 for sm_90, 40 selects of 32 bits, of integers and floats,
/// in straight code and in loops. All of arithmetic, conversions, population
/// counts and MUFU used once were predicated; SEL and FSEL stayed where the
/// other value is used behind the select, is a constant or a parameter, where
/// the computed one is used twice, and for 64 bits.
class Chooser {
public:
  explicit Chooser(KernelFacts &Facts)
      : Facts(Facts), Users(Facts.Operations.size()) {
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
      if (Facts.Operations[I].What != Semantics::Copy)
        for (const Operand &O : Facts.Operations[I].Operands)
          use(O, I);
    for (const MemoryAccess &A : Facts.Accesses) {
      use(A.Base, A.Op);
      use(A.SharedBase, A.Op);
      for (const Operand &O : A.Stored)
        use(O, A.Op);
    }
  }

  void run() {
    for (uint32_t I = 0; I != Facts.Operations.size(); ++I)
      if (isSelectOfWords(Facts.Operations[I]))
        for (unsigned Computed : {0u, 1u})
          if (mayBePredicated(I, Computed) &&
              mayBeOverwritten(I, 1 - Computed) &&
              !readsOldValue(I, Computed)) {
            Facts.Operations[I].Emits.clear();
            break;
          }
  }

private:
  KernelFacts &Facts;
  /// By operation, each once, through copies.
  std::vector<SmallVector<uint32_t, 2>> Users;

  void use(Operand O, uint32_t By) {
    O = behindCopies(Facts, O);
    if (O.isValue() && By != NoIndex && !is_contained(Users[O.Index], By))
      Users[O.Index].push_back(By);
  }

  static bool isSelectOfWords(const Operation &Op) {
    return Op.What == Semantics::Select && Op.Operands.size() == 3 &&
           Op.Emits.size() == 1 && Op.Emits[0].Class == InstClass::Sel &&
           Op.Emits[0].Count == 1 && Op.Bits <= 32;
  }

  /// The operation that computes a value of \p Select in a register of a lane.
  const Operation *laneValue(uint32_t Select, unsigned Operand) const {
    const gpuocc::Operand O =
        behindCopies(Facts, Facts.Operations[Select].Operands[Operand]);
    const Operation *Op = Facts.operationOf(O);
    if (!Op || O.Result != 0 || Op->NumResults > 1)
      return nullptr;
    if (Op->What == Semantics::Phi || Op->Access != NoIndex)
      return Op;
    // A select that was predicated leaves its value in such a register, too.
    return Op->What == Semantics::Select ||
                   (!Op->Emits.empty() && none_of(Op->Emits, isUniform))
               ? Op
               : nullptr;
  }

  static bool isUniform(const Emission &E) {
    return E.Class == InstClass::UInt || E.Class == InstClass::Uldc ||
           E.Class == InstClass::S2UR;
  }

  bool mayBePredicated(uint32_t Select, unsigned Operand) const {
    const Operation *Op = laneValue(Select, Operand);
    return Op && Op->What != Semantics::Phi && Op->Access == NoIndex &&
           !Op->Emits.empty() && Op->Bits <= 32 &&
           Op->Block == Facts.Operations[Select].Block &&
           Users[indexOf(*Op)].size() == 1 &&
           none_of(Op->Emits, [](const Emission &E) {
             return hasTrait(E.Class, InstTrait::Unpredicated);
           });
  }

  bool mayBeOverwritten(uint32_t Select, unsigned Operand) const {
    const Operation *Op = laneValue(Select, Operand);
    if (!Op)
      return false;
    const uint32_t Block = Facts.Operations[Select].Block;
    if (Facts.Blocks[Op->Block].Loop != Facts.Blocks[Block].Loop)
      return false;
    return all_of(Users[indexOf(*Op)], [&](uint32_t User) {
      return User == Select ||
             (User < Select && Facts.Operations[User].Block == Block);
    });
  }

  /// Whether a loop goes on with \p Select, and computes from what it was in
  /// the last turn after the other value is written: that needs a register of
  /// its own, and a move.
  bool readsOldValue(uint32_t Select, unsigned Computed) const {
    const ArrayRef<Operand> Values = Facts.Operations[Select].Operands;
    const Operation &Op =
        *Facts.operationOf(behindCopies(Facts, Values[Computed]));
    return any_of(Users[Select], [&](uint32_t User) {
      const Operand Old = Operand::value(User);
      return User < Select && Facts.Operations[User].What == Semantics::Phi &&
             behindCopies(Facts, Values[1 - Computed]) != Old &&
             is_contained(Op.Operands, Old);
    });
  }

  uint32_t indexOf(const Operation &Op) const {
    return uint32_t(&Op - Facts.Operations.data());
  }
};

} // namespace

void gpuocc::chooseLikePtxas(KernelFacts &Facts) { Chooser(Facts).run(); }
