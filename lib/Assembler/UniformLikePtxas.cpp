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

/// Heuristic: other uniform values mostly stay in vector registers, because
/// their users are there; moving all of them doubles the distance between
/// predicted and executed mixes.
void gpuocc::useUniformDatapathLikePtxas(KernelFacts &Facts) {
  if (!assemblerRules(Facts.Architecture).HasUniformDatapath)
    return;
  std::vector<bool> Moves = uniformConstantData(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (!Moves[I] || Op.Bits == 1)
      continue;
    for (Emission &E : Op.Emits)
      if (isOnUniformDatapath(E.Class))
        E.Class = InstClass::UInt;
      else if (E.Class == InstClass::Ldc)
        E.Class = InstClass::Uldc;
  }
}
