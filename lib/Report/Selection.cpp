//===- Selection.cpp - Which findings to show -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/Selection.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/ADT/StringRef.h"

using namespace gpuocc;
using namespace llvm;

Selection gpuocc::selectFindings(const KernelReport &R, unsigned MaxFindings) {
  Selection S;
  for (const Finding &F : R.Findings) {
    if (F.Rule == RuleId::KernelVerdict) {
      S.Verdict = &F;
      continue;
    }
    switch (F.Remark) {
    case RemarkKind::Passed:
      if (MaxFindings == 0 || S.Costly.size() < MaxFindings)
        S.Costly.push_back(&F);
      else
        ++S.LeftOut;
      break;
    case RemarkKind::Analysis:
      S.Evidence.push_back(&F);
      break;
    case RemarkKind::Missed:
      S.Missed.push_back(&F);
      break;
    }
  }
  return S;
}

std::string gpuocc::leftOutText(const Selection &S) {
  return std::to_string(S.LeftOut) +
         (S.LeftOut == 1 ? " more finding" : " more findings") +
         " of smaller gain left out";
}

std::string gpuocc::suppressedText(unsigned NumFindings) {
  if (NumFindings == 0)
    return {};
  return formatCount(NumFindings, "finding") + " silenced in the source";
}

std::string gpuocc::suppressedText(const Report &R) {
  unsigned Sum = 0;
  for (const KernelReport &K : R.Kernels)
    Sum += K.Suppressed;
  return suppressedText(Sum);
}

static bool isForeign(const SourcePlace &Place) {
  StringRef File = Place.File;
  return File.starts_with("/usr/") || File.contains("/__clang_") ||
         File.contains("/lib/clang/");
}

SourcePlace gpuocc::placeToShow(const SourceLocation &Location) {
  for (const SourcePlace &Place : Location.Places)
    if (Place.isValid() && !isForeign(Place))
      return Place;
  return Location.Places.empty() ? SourcePlace() : Location.Places.front();
}
