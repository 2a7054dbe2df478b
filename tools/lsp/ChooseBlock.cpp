//===- ChooseBlock.cpp - Another block size where a kernel is launched ----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "SourceText.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/WhatIf/IndependentThreads.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

/// Sizes that are tried: each takes a compile.
static constexpr uint64_t BlockSizes[] = {128, 256, 512};

/// The edits that write \p To for the numbers \p From, and those one less, in
/// \p R.
static std::vector<Replacement> rewritten(StringRef Text, TextRange R,
                                          uint64_t From, uint64_t To) {
  std::vector<Replacement> Edits;
  for (uint64_t Less : {0, 1})
    for (const TextRange &N : numbersIn(Text, R, From - Less))
      Edits.push_back({N.From, N.To - N.From, utostr(To - Less)});
  return Edits;
}

/// The edits that give the launch \p L blocks of \p To threads instead of
/// \p From; empty where its words do not show how.
static std::vector<Replacement> editsOf(StringRef Text, const LaunchWords &L,
                                        uint64_t From, uint64_t To) {
  TextRange Block = L.Block;
  StringRef Name = Block.of(Text);
  if (isName(Name)) {
    // Whoever names the size uses the name for the grid too.
    std::optional<TextRange> Value = definitionOf(Text, Name, Block.From);
    if (!Value || numbersIn(Text, *Value, From).size() != 1)
      return {};
    const TextRange N = numbersIn(Text, *Value, From).front();
    return {{N.From, N.To - N.From, utostr(To)}};
  }
  std::vector<Replacement> Edits = rewritten(Text, Block, From, To);
  if (Edits.size() != 1)
    return {};
  TextRange Grid = L.Grid;
  if (isName(Grid.of(Text))) {
    // Another launch may use the number of blocks too.
    StringRef Count = Grid.of(Text);
    std::optional<TextRange> Value = definitionOf(Text, Count, Grid.From);
    if (!Value || placesOf(Text, Count).size() != 2)
      return {};
    Grid = *Value;
  }
  std::vector<Replacement> OfGrid = rewritten(Text, Grid, From, To);
  if (OfGrid.empty())
    return {};
  append_range(Edits, OfGrid);
  return Edits;
}

std::vector<Cure> editor::chooseBlock(const Launched &K) {
  const Launch &L = K.What.Launched;
  if (!adaptsToBlocks(K.What.Facts, L))
    return {};
  const std::string Name = baseName(K.What.Facts.Demangled).str();
  const std::vector<LaunchWords> Launches = launchesIn(K.Text.text(), Name);
  // Several launches may need several sizes.
  if (Launches.size() != 1)
    return {};
  const uint64_t Own = L.Block.Value.X;
  const unsigned Most = K.What.Facts.Bounds.MaxThreads;
  std::vector<Cure> Cures;
  for (uint64_t Threads : BlockSizes) {
    if (Threads == Own || (Most != 0 && Threads > Most))
      continue;
    std::vector<Replacement> Edits =
        editsOf(K.Text.text(), Launches.front(), Own, Threads);
    if (Edits.empty())
      return {};
    Cures.push_back({"launch '" + Name + "' in blocks of " + utostr(Threads) +
                         " threads instead of " + utostr(Own),
                     std::move(Edits)});
  }
  return Cures;
}
