//===- AssemblerRules.cpp - What ptxas does by architecture ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Assembler/AssemblerRules.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/InstClasses.h"
#include <iterator>

using namespace gpuocc;
using namespace llvm;

/// By the first architecture that a row holds for.
///
/// Source: SASS of ptxas 13.0 for sm_75, sm_80, sm_86, sm_89, sm_90, sm_100 and
/// sm_120 of a kernel that copies through shared memory and of one that adds
/// vectors; parameters: of one that computes with, stores and loads from
/// parameters, for sm_75, sm_80 and sm_90; loads before copies: of one cp.async
/// for sm_80, sm_86, sm_89, sm_90, sm_100 and sm_120; least and greatest
/// numbers: of sums, of three and above 0, for sm_80, sm_89, sm_90, sm_100 and
/// sm_120. There is no uniform datapath before Turing (CUDA Binary
/// Utilities 12.9, instruction sets).
static constexpr AssemblerRules Rules[] = {
    {0, false, true, InstClass::S2R, InstClass::Mov, false, false, 0, false,
     false},
    {75, true, true, InstClass::S2R, InstClass::Mov, false, false, 0, false,
     false},
    {80, true, true, InstClass::S2R, InstClass::Mov, true, false, 0, false,
     false},
    {90, true, false, InstClass::S2UR, InstClass::Ldc, true, true, 3, true,
     true},
    {120, true, false, InstClass::S2UR, InstClass::Ldc, true, true, 3, false,
     true},
};

const AssemblerRules &gpuocc::assemblerRules(StringRef Architecture) {
  unsigned Number = architectureNumber(Architecture);
  if (Number == 0)
    Number = architectureNumber(CheckedArchitecture);
  const AssemblerRules *Found = Rules;
  for (const AssemblerRules &Row : Rules)
    if (Row.Since <= Number)
      Found = &Row;
  return *Found;
}

bool gpuocc::areRulesChecked(StringRef Architecture) {
  return architectureNumber(Architecture) ==
         architectureNumber(CheckedArchitecture);
}
