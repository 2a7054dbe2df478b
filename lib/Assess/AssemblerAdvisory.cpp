//===- AssemblerAdvisory.cpp - What the assembler advises -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Message.h"
#include "Rules.h"
#include "gpuocc/Kernel/KernelName.h"

using namespace gpuocc;
using namespace llvm;

/// \p Text with the kernel by the name that other findings give it: names of
/// template instances have thousands of characters.
static std::string withShortName(StringRef Text, const KernelFacts &Facts) {
  const auto [Before, After] = Text.split(Facts.Name);
  if (Facts.Name.empty() || Before.size() == Text.size())
    return Text.str();
  return (Before + shortName(qualifiedName(Facts.Demangled)) + After).str();
}

void gpuocc::findAssemblerAdvisory(const Case &C, Findings &Out) {
  for (const AssemblerAdvisory &A : C.Facts.Resources.Advisories) {
    SourceLocation Where = kernelLocation(C.Facts);
    if (A.Place.isValid())
      Where.Places = {A.Place};
    FindingWriter W(RuleId::AssemblerAdvisory, std::move(Where));
    W << "the assembler advises: "
      << named("Text", withShortName(A.Text, C.Facts));
    if (!A.Code.empty())
      W << " (" << named("Code", A.Code) << ")";
    Out.push_back(std::move(W.finding()));
  }
}
