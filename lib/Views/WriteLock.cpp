//===- WriteLock.cpp - What changed since a lock file ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteLock.h"
#include "Markdown.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Names of kernels of a cause that are shown.
static constexpr size_t ShownOfCause = 5;

/// "1 slower, 2 changed of 120 kernels".
static std::string totals(const LockOutcome &O) {
  static constexpr LockVerdict Verdicts[] = {
      LockVerdict::CannotRun, LockVerdict::Slower,  LockVerdict::CannotCompare,
      LockVerdict::Faster,    LockVerdict::Changed, LockVerdict::Added,
      LockVerdict::Removed};
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator Comma;
  for (LockVerdict V : Verdicts)
    if (const auto Count = count_if(
            O.Changes, [&](const LockChange &C) { return C.Verdict == V; }))
      OS << Comma << Count << ' ' << lockVerdictText(V);
  if (Text.empty())
    OS << "nothing changed";
  OS << " of " << formatCount(double(O.NumKernels), "kernel");
  return Text;
}

static void writeText(const LockOutcome &O, raw_ostream &OS) {
  constexpr unsigned VerdictColumns = 16;
  for (const LockChange &C : O.Changes)
    OS << left_justify(lockVerdictText(C.Verdict), VerdictColumns)
       << printable(C.either().Name) << " ["
       << printable(C.either().Architecture) << "]: " << printable(C.Reason)
       << '\n';
  if (O.Explains)
    for (const LockCause &Cause : causesOf(O.Changes)) {
      OS << formatCount(double(Cause.Changes.size()), "kernel") << " by "
         << Cause.What << ": ";
      ListSeparator Comma;
      for (const LockChange *C :
           ArrayRef(Cause.Changes).take_front(ShownOfCause))
        OS << Comma << printable(C->either().Name);
      OS << (Cause.Changes.size() > ShownOfCause ? ", ...\n" : "\n");
    }
  OS << totals(O) << '\n';
  if (!O.Patch.empty())
    OS << "\nThis patch accepts it ('patch -p0', or 'gpu-occupancy lock' "
          "again):\n"
       << printableLines(O.Patch);
}

static void writeMarkdown(const LockOutcome &O, raw_ostream &OS) {
  OS << "Kernels: " << totals(O) << ".\n";
  if (!O.Changes.empty())
    OS << "\n| change | kernel | why |\n|---|---|---|\n";
  for (const LockChange &C : O.Changes)
    OS << "| " << lockVerdictText(C.Verdict) << " | "
       << markdownCode(C.either().Name) << ' '
       << markdownText(C.either().Architecture) << " | "
       << markdownText(C.Reason) << " |\n";
  if (O.Explains && !O.Changes.empty()) {
    OS << "\n| cause | kernels |\n|---|---:|\n";
    for (const LockCause &Cause : causesOf(O.Changes))
      OS << "| " << Cause.What << " | " << Cause.Changes.size() << " |\n";
  }
  if (!O.Patch.empty())
    OS << "\n<details><summary>The patch that accepts it</summary>\n\n"
          "````diff\n"
       << printableLines(O.Patch) << "````\n\n</details>\n";
}

void gpuocc::writeLockChanges(const LockOutcome &Outcome, LockFormat Format,
                              raw_ostream &OS) {
  switch (Format) {
  case LockFormat::Text:
    return writeText(Outcome, OS);
  case LockFormat::Markdown:
    return writeMarkdown(Outcome, OS);
  }
  llvm_unreachable("all formats are handled");
}
