//===- AddRestrict.cpp - A promise that pointers do not overlap -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "SourceText.h"
#include "gpuocc/Kernel/KernelName.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Where `__restrict__` goes in the declaration \p R of a parameter; nothing
/// where it is no plain pointer, or has it.
static std::optional<size_t> placeOfRestrict(StringRef Text, TextRange R) {
  StringRef Words = R.of(Text);
  const size_t Star = Words.rfind('*');
  if (Star == StringRef::npos || Words.contains("restrict") ||
      Words.find_first_of("(=[") != StringRef::npos)
    return std::nullopt;
  StringRef Name = Words.drop_front(Star + 1).trim();
  if (!isName(Name))
    return std::nullopt;
  return R.From + size_t(Name.data() - Words.data());
}

std::vector<Cure> editor::addRestrict(const Launched &K) {
  StringRef Text = K.Text.text();
  const std::string Name = baseName(K.What.Facts.Demangled).str();
  const std::optional<FunctionText> Kernel = functionIn(Text, Name);
  if (!Kernel)
    return {};
  Cure C;
  for (const TextRange &P : Kernel->Parameters)
    if (std::optional<size_t> Place = placeOfRestrict(Text, P))
      C.Edits.push_back({*Place, 0, "__restrict__ "});
  // One pointer alone has nothing to overlap with.
  if (C.Edits.size() < 2)
    return {};
  C.Title = "promise with __restrict__ that the arrays of '" + Name +
            "' do not overlap";
  return {std::move(C)};
}
