//===- Assumption.cpp - Values that nobody supplied -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Rules.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::findAssumption(const Case &C, Findings &Out) {
  for (const Assumption &A : C.Profile.Assumptions) {
    FindingWriter W(RuleId::Assumption, locationOrKernel(C.Facts, A.Location));
    W << "assumed: " << named("What", A.What) << " = "
      << named("Taken", A.Taken);
    if (!A.HowToSupply.empty())
      W << "; " << A.HowToSupply;
    Out.push_back(std::move(W.finding()));
  }
}
