//===- UniformLikePtxas.cpp - What ptxas computes once per warp -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Kernel/Uniformity.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Integer classes that the uniform datapath of sm_90 has too.
static bool isOnUniformDatapath(InstClass C) {
  return is_contained({InstClass::IAdd3, InstClass::IMad, InstClass::IMadWide,
                       InstClass::Lea, InstClass::Lop3, InstClass::Shf,
                       InstClass::ISetp, InstClass::IMnMx, InstClass::Sel,
                       InstClass::Mov, InstClass::Prmt, InstClass::Sgxt},
                      C);
}

/// For each operation, whether it computes with data of constant memory and is
/// the same for all lanes.
static std::vector<bool> uniformConstantData(const KernelFacts &Facts) {
  std::vector<bool> Uniform = uniformOperations(Facts);
  std::vector<bool> FromMemory(Facts.Operations.size());
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I != Facts.Operations.size(); ++I) {
      const Operation &Op = Facts.Operations[I];
      if (!Uniform[I] || FromMemory[I])
        continue;
      bool Holds =
          Op.Access != NoIndex || any_of(Op.Operands, [&](const Operand &O) {
            return O.isValue() && FromMemory[O.Index];
          });
      if (Holds)
        FromMemory[I] = Changed = true;
    }
  }
  return FromMemory;
}

/// Classes of which one source may be a uniform register (SASS of ptxas 13.0
/// for sm_90).
static bool takesUniform(InstClass C) {
  return isOnUniformDatapath(C) ||
         is_contained({InstClass::IMadHi, InstClass::FAdd, InstClass::FMul,
                       InstClass::FFma, InstClass::FSetp, InstClass::FMnMx,
                       InstClass::DAdd, InstClass::DMul, InstClass::DFma,
                       InstClass::DSetp},
                      C);
}

namespace {

/// Finds the constants of a launch (parameters, sizes of blocks and grid) that
/// instructions read from uniform registers. The others are loaded into vector
/// registers: addresses and what is stored, the addends of wide multiply-adds,
/// which array elements are found by, and the second uniform operand of an
/// instruction, the index of the block or an immediate being another.
///
/// Source: SASS of ptxas 13.0 for sm_90 of 16 kernels of one statement each:
/// ULDC for factors of FMUL, FFMA and IMAD.HI, operands of comparisons, minima,
/// logic and shifts; LDC for what is stored, selected or divided by, for
/// pointers, for factors of what adds an immediate, and for sizes that the
/// index of the block is multiplied by.
class UniformConstants {
public:
  explicit UniformConstants(const KernelFacts &Facts)
      : Facts(Facts), InVector(Facts.Operations.size()) {
    for (const MemoryAccess &A : Facts.Accesses) {
      need(A.Base);
      need(A.SharedBase);
      for (const Operand &O : A.Stored)
        need(O);
    }
    for (const Operation &Op : Facts.Operations)
      if (!handsOn(Op))
        visit(Op);
  }

  /// The class of what loads operation \p Op; none where it is no constant.
  std::optional<InstClass> loadOf(size_t Op) const {
    if (!isConstant(Facts.Operations[Op]))
      return std::nullopt;
    return InVector[Op] ? InstClass::Ldc : InstClass::Uldc;
  }

private:
  const KernelFacts &Facts;
  std::vector<bool> InVector;

  static bool emits(const Operation &Op, InstClass C) {
    return any_of(Op.Emits, [&](const Emission &E) { return E.Class == C; });
  }

  static bool isConstant(const Operation &Op) {
    return (Op.What == Semantics::Param && emits(Op, InstClass::Ldc)) ||
           (Op.What == Semantics::SReg && emits(Op, InstClass::Uldc));
  }

  /// Is \p Op its operand, in no instruction of its own?
  static bool handsOn(const Operation &Op) {
    return Op.What != Semantics::Param && Op.What != Semantics::Phi &&
           Op.Emits.empty() && Op.Access == NoIndex && Op.Operands.size() == 1;
  }

  const Operation *sourceOf(const Operand &O) const {
    const Operation *Op = Facts.operationOf(O);
    while (Op && handsOn(*Op))
      Op = Facts.operationOf(Op->Operands[0]);
    return Op;
  }

  void need(const Operand &O) {
    if (const Operation *Op = sourceOf(O))
      InVector[size_t(Op - Facts.Operations.data())] = true;
  }

  void visit(const Operation &Op) {
    const bool Takes = Op.Access == NoIndex && !Op.Emits.empty() &&
                       all_of(Op.Emits, [](const Emission &E) {
                         return takesUniform(E.Class);
                       });
    const bool IsWide = emits(Op, InstClass::IMadWide);
    // An immediate takes the place that a uniform register would have.
    bool IsTaken =
        Op.Operands.size() > 2 &&
        any_of(Op.Operands, [](const Operand &O) { return O.isImmediate(); });
    IsTaken |= any_of(Op.Operands, [&](const Operand &O) {
      const Operation *Source = sourceOf(O);
      return Source && emits(*Source, InstClass::S2UR);
    });
    for (const Operand &O : Op.Operands) {
      const Operation *Source = sourceOf(O);
      if (!Source || !isConstant(*Source))
        continue;
      if (IsTaken || (Source->What == Semantics::Param &&
                      (!Takes || (IsWide && Source->Bits == 64))))
        need(O);
      else
        IsTaken = true;
    }
  }
};

} // namespace

/// Heuristic: other uniform values mostly stay in vector registers, because
/// their users are there; moving all of them doubles the distance between
/// predicted and executed mixes.
void gpuocc::useUniformDatapathLikePtxas(KernelFacts &Facts) {
  if (!assemblerRules(Facts.Architecture).HasUniformDatapath)
    return;
  const UniformConstants Constants(Facts);
  std::vector<bool> Moves = uniformConstantData(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (const std::optional<InstClass> Load = Constants.loadOf(I))
      for (Emission &E : Op.Emits)
        if (E.Class == InstClass::Ldc || E.Class == InstClass::Uldc)
          E.Class = *Load;
    if (!Moves[I] || Op.Bits == 1)
      continue;
    for (Emission &E : Op.Emits)
      if (isOnUniformDatapath(E.Class))
        E.Class = InstClass::UInt;
      else if (E.Class == InstClass::Ldc)
        E.Class = InstClass::Uldc;
  }
}
