//===- Tell.cpp - What the plugin could not do ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tell.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>

using namespace gpuocc;
using namespace llvm;

void Diagnostics::add(Error E) {
  handleAllErrors(std::move(E),
                  [&](const ErrorInfoBase &Info) { add(Info.message()); });
}

void Diagnostics::add(StringRef Text) {
  Notes.push_back({"", Text.str(), /*IsWarning=*/true});
}

void Diagnostics::add(const SessionNote &Note) { Notes.push_back(Note); }

std::string Diagnostics::textOfModule() const {
  SmallVector<StringRef, 4> Texts;
  for (const SessionNote &Note : Notes)
    if (Note.Kernel.empty())
      Texts.push_back(Note.Text);
  return join(Texts, "; ");
}

std::vector<SessionNote> Diagnostics::remarks() const {
  std::vector<SessionNote> Remarks;
  if (std::string Text = textOfModule(); !Text.empty())
    Remarks.push_back({"", std::move(Text), /*IsWarning=*/true});
  copy_if(Notes, std::back_inserter(Remarks),
          [](const SessionNote &Note) { return !Note.Kernel.empty(); });
  return Remarks;
}

void Diagnostics::warn(StringRef SourceFile) const {
  static std::atomic_flag Warned;
  auto First = find_if(Notes, [](const SessionNote &N) { return N.IsWarning; });
  if (First == Notes.end() || Warned.test_and_set())
    return;
  errs() << printable(SourceFile)
         << ": warning: gpu-occupancy: " << printable(First->Text);
  size_t More =
      count_if(Notes, [](const SessionNote &N) { return N.IsWarning; }) - 1;
  if (More != 0)
    errs() << "; " << More << " more: -Rpass-missed=gpu-occupancy";
  errs() << '\n';
}
