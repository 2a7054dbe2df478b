//===- AddLaunchBounds.cpp - Launch bounds for the block that is launched -===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cures.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Problems.h"

using namespace gpuocc;
using namespace gpuocc::editor;
using namespace llvm;

std::vector<Cure> editor::addLaunchBounds(const Patient &P) {
  const KernelReport &K = *P.What.Kernel;
  // Bounds for a block that nobody named would be a guess.
  if (K.Facts.Bounds.MaxThreads != 0 ||
      K.Launched.Block.Source.by() == GivenBy::Nobody)
    return {};
  const std::string Name = baseName(K.Facts.Demangled).str();
  std::optional<size_t> Place;
  for (size_t I = 1; I + 1 < P.Words.size() && !Place; ++I)
    if (P.Words.word(I) == Name && P.Words.word(I + 1).starts_with("(") &&
        P.Words.word(I - 1) == "void")
      Place = P.Words[I].Offset;
  if (!Place)
    return {};
  std::vector<Cure> Cures;
  const std::string Threads = std::to_string(K.Launched.threadsPerBlock());
  const unsigned More = K.Predicted.BlocksPerSm + 1;
  for (const std::string &Bounds :
       {Threads, Threads + ", " + std::to_string(More)})
    Cures.push_back({"add __launch_bounds__(" + Bounds + ") to '" + Name + "'",
                     {{*Place, 0, "__launch_bounds__(" + Bounds + ") "}}});
  return Cures;
}
