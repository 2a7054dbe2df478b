//===- WriteGate.cpp - Why a change does not pass -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteGate.h"
#include "GitHub.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static std::string placeText(StringRef File, unsigned Line, unsigned Column) {
  return formatPlace({File.str(), Line, Column, ""});
}

static std::string slowdownText(const KernelChange &C) {
  std::string Text = formatv("'{0}' is predicted {1:f2}x as slow as before",
                             baseName(C.After->Demangled), C.Ratio);
  if (C.Before->TimeNs && C.After->TimeNs)
    Text += ", " + formatTime(*C.Before->TimeNs) + " to " +
            formatTime(*C.After->TimeNs);
  Text += " on " + C.After->Device + ", " + C.After->LaunchText;
  ListSeparator Comma(", ");
  std::string Causes;
  raw_string_ostream OS(Causes);
  for (const FindingSummary *F : C.Appeared)
    OS << Comma << F->Rule << " at " << placeText(F->File, F->Line, F->Column);
  return Text + (Causes.empty() ? "" : ": " + Causes);
}

/// "registers" of a kernel, with its verb.
static StringRef countText(CountedResource R) {
  switch (R) {
  case CountedResource::Registers:
    return "registers per thread";
  case CountedResource::Spills:
    return "B of spills per thread";
  case CountedResource::Stack:
    return "B of stack per thread";
  case CountedResource::Shared:
    return "B of shared memory per block";
  case CountedResource::Occupancy:
    return "blocks per SM";
  }
  llvm_unreachable("all counts are handled");
}

static std::string worseText(const KernelChange &C, CountedResource R) {
  std::string Text =
      formatv("'{0}' has {1} {2} instead of {3}", baseName(C.After->Demangled),
              countOf(C.After->Resources, R).value_or(0), countText(R),
              countOf(C.Before->Resources, R).value_or(0));
  if (C.Before->TimeNs && C.After->TimeNs)
    Text += formatv(", and is predicted {0:f2}x as slow", C.Ratio);
  return Text + " on " + C.After->Device + ", " + C.After->LaunchText;
}

static std::string messageOf(const GateFault &Fault) {
  if (Fault.Finding)
    return Fault.Finding->Message;
  return Fault.Worse ? worseText(*Fault.Change, *Fault.Worse)
                     : slowdownText(*Fault.Change);
}

void gpuocc::writeGate(ArrayRef<GateFault> Faults, raw_ostream &OS) {
  for (const GateFault &Fault : Faults) {
    const KernelSummary &K = *Fault.Change->After;
    const FindingSummary *F = Fault.Finding;
    std::string Place = F && F->Line != 0
                            ? placeText(F->File, F->Line, F->Column)
                            : placeText(K.File, K.Line, 0);
    if (!Place.empty())
      OS << printable(Place) << ": ";
    OS << "error: " << printable(messageOf(Fault)) << " ["
       << printable(Fault.criterion()) << "]\n";
  }
}

void gpuocc::writeGateAnnotations(ArrayRef<GateFault> Faults, raw_ostream &OS) {
  for (const GateFault &Fault : Faults) {
    const KernelSummary &K = *Fault.Change->After;
    if (const FindingSummary *F = Fault.Finding; F && F->Line != 0)
      writeAnnotation({"error", F->File, F->Line, F->Column, Fault.criterion(),
                       messageOf(Fault)},
                      OS);
    else
      writeAnnotation(
          {"error", K.File, K.Line, 0, Fault.criterion(), messageOf(Fault)},
          OS);
  }
}
