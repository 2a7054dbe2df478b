//===- UniformLikePtxas.cpp - What ptxas computes once per warp -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "Uniformity.h"
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

void gpuocc::useUniformDatapathLikePtxas(KernelFacts &Facts) {
  std::vector<bool> Uniform = uniformOperations(Facts);
  for (size_t I = 0; I != Facts.Operations.size(); ++I) {
    Operation &Op = Facts.Operations[I];
    if (!Uniform[I] || Op.Bits == 1)
      continue;
    for (Emission &E : Op.Emits)
      if (isOnUniformDatapath(E.Class))
        E.Class = InstClass::UInt;
      else if (E.Class == InstClass::S2R)
        E.Class = InstClass::S2UR;
  }
}
