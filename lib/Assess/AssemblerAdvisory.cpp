//===- AssemblerAdvisory.cpp - What the assembler advises -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Rules.h"

using namespace gpuocc;
using namespace llvm;

void gpuocc::findAssemblerAdvisory(const Case &C, Findings &Out) {
  for (const AssemblerAdvisory &A : C.Facts.Resources.Advisories) {
    SourceLocation Where = kernelLocation(C.Facts);
    if (A.Place.isValid())
      Where.Places = {A.Place};
    FindingWriter W(RuleId::AssemblerAdvisory, std::move(Where));
    W << "the assembler advises: " << named("Text", A.Text);
    if (!A.Code.empty())
      W << " (" << named("Code", A.Code) << ")";
    Out.push_back(std::move(W.finding()));
  }
}
