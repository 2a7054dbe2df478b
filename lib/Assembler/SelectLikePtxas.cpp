//===- SelectLikePtxas.cpp - What an architecture does otherwise ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

using namespace gpuocc;
using namespace llvm;

namespace {

/// Finds the parameters that have to be in registers where constants are
/// operands.
class ParameterUses {
public:
  explicit ParameterUses(const KernelFacts &Facts)
      : Facts(Facts), InRegister(Facts.Operations.size(), false) {
    for (const MemoryAccess &A : Facts.Accesses) {
      need(A.Base);
      need(A.SharedBase);
      for (const Operand &O : A.Stored)
        need(O);
    }
    for (const Operation &Op : Facts.Operations)
      if (Op.Access != NoIndex || Op.What == Semantics::Phi ||
          !isArithmetic(Op))
        for (const Operand &O : Op.Operands)
          need(O);
      else
        needAllButOne(Op);
  }

  bool isInRegister(size_t Op) const { return InRegister[Op]; }

private:
  const KernelFacts &Facts;
  std::vector<bool> InRegister;

  /// Other instructions take registers only; what emits nothing hands its
  /// operand on.
  static bool isArithmetic(const Operation &Op) {
    return Op.What != Semantics::Shuffle && Op.What != Semantics::Opaque;
  }

  /// The parameter that \p O is, through operations that emit nothing.
  const Operation *parameterOf(const Operand &O) const {
    const Operation *Op = Facts.operationOf(O);
    while (Op && Op->What != Semantics::Param && Op->Emits.empty() &&
           Op->Access == NoIndex && Op->Operands.size() == 1)
      Op = Facts.operationOf(Op->Operands[0]);
    return Op && Op->What == Semantics::Param ? Op : nullptr;
  }

  void need(const Operand &O) {
    if (const Operation *Op = parameterOf(O))
      InRegister[size_t(Op - Facts.Operations.data())] = true;
  }

  /// An instruction has one operand of constant memory.
  void needAllButOne(const Operation &Op) {
    bool HasConstant = false;
    for (const Operand &O : Op.Operands)
      if (parameterOf(O)) {
        if (HasConstant)
          need(O);
        HasConstant = true;
      }
  }
};

} // namespace

/// Parameters are operands of arithmetic; where they have to be in registers,
/// each 32 bits of them are moved there.
static void readParametersInPlace(KernelFacts &Facts) {
  const ParameterUses Uses(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (Op.What != Semantics::Param)
      continue;
    erase_if(Op.Emits,
             [](const Emission &E) { return E.Class == InstClass::Ldc; });
    if (Uses.isInRegister(I))
      for (unsigned Bits = 0; Bits < Op.Bits; Bits += 32)
        Op.Emits.push_back({InstClass::Mov, 1, 1});
  }
}

void gpuocc::selectLikePtxas(KernelFacts &Facts) {
  const AssemblerRules &Rules = assemblerRules(Facts.Architecture);
  for (Operation &Op : Facts.Operations) {
    if (Op.What != Semantics::SReg)
      continue;
    if (Rules.ReadsConstantsInPlace)
      erase_if(Op.Emits,
               [](const Emission &E) { return E.Class == InstClass::Uldc; });
    for (Emission &E : Op.Emits)
      if (E.Class == InstClass::S2UR)
        E.Class = Rules.BlockIndex;
  }
  if (Rules.ReadsConstantsInPlace)
    readParametersInPlace(Facts);
}
