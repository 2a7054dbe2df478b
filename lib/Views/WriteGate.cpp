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

static std::string messageOf(const GateFault &Fault) {
  return Fault.Finding ? Fault.Finding->Message : slowdownText(*Fault.Change);
}

static StringRef ruleOf(const GateFault &Fault) {
  return Fault.Finding ? StringRef(Fault.Finding->Rule) : "slowdown";
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
       << printable(ruleOf(Fault)) << "]\n";
  }
}

void gpuocc::writeGateAnnotations(ArrayRef<GateFault> Faults, raw_ostream &OS) {
  for (const GateFault &Fault : Faults) {
    const KernelSummary &K = *Fault.Change->After;
    if (const FindingSummary *F = Fault.Finding; F && F->Line != 0)
      writeAnnotation({"error", F->File, F->Line, F->Column, ruleOf(Fault),
                       messageOf(Fault)},
                      OS);
    else
      writeAnnotation(
          {"error", K.File, K.Line, 0, ruleOf(Fault), messageOf(Fault)}, OS);
  }
}
