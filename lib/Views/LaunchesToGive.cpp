//===- LaunchesToGive.cpp - Kernels without a time ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/LaunchesToGive.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// How assumptions about arguments begin.
static constexpr StringLiteral ArgumentPrefix = "argument ";

bool gpuocc::isUndecided(const KernelReport &K) {
  // What nobody asked for has the reason of the grid, or of a Prediction.
  const Prediction &P = K.Predicted;
  return !P.Time &&
         (K.Launched.Grid || P.Time.reason() != Prediction().Time.reason());
}

std::string gpuocc::occupancyByBlockText(const KernelReport &K) {
  // In other blocks it does not run.
  if (K.Facts.Bounds.RequiredBlock[0] != 0)
    return {};
  Expected<const ArchLimits &> Limits = archLimits(K.Facts.Architecture);
  if (!Limits) {
    consumeError(Limits.takeError());
    return {};
  }
  std::vector<std::string> Texts;
  BlockResources Block = blockResources(K.Facts, K.Launched);
  for (unsigned Threads : {64u, 128u, 256u, 512u, 1024u}) {
    Block.Threads = Threads;
    if (launchProblems(*Limits, Block).empty())
      Texts.push_back(utostr(Threads) + ": " +
                      utostr(occupancy(*Limits, Block).WarpsPerSm));
  }
  return Texts.empty() ? "" : join(Texts, ", ") + " warps per SM";
}

/// Kernels of \p R without a time, the first of each name.
static std::vector<const KernelReport *> withoutTime(const Report &R) {
  std::vector<const KernelReport *> Found;
  StringSet<> Names;
  for (const KernelReport &K : R.Kernels)
    if (!K.Predicted.Time && Names.insert(baseName(K.Facts.Demangled)).second)
      Found.push_back(&K);
  return Found;
}

std::string gpuocc::howToGetTimes(const Report &R) {
  const size_t Number = withoutTime(R).size();
  if (Number == 0)
    return {};
  return formatCount(double(Number), "kernel") +
         (Number == 1 ? " has" : " have") +
         " no time, since a launch or arguments are not known: "
         "'gpu-occupancy analyze ... --write-launches' writes the lines of a "
         ".gpu-occupancy to fill in, 'gpu-occupancy record' and 'profile' take "
         "launches from the program";
}

/// \p Text as a scalar of YAML that nothing in it can end.
static std::string quoted(StringRef Text) {
  std::string Out = "'";
  for (char C : printable(Text.str())) {
    Out += C;
    if (C == '\'')
      Out += C;
  }
  return Out + "'";
}

static void writeArguments(const KernelReport &K, raw_ostream &OS) {
  std::vector<std::string> Names;
  for (const Assumption &A : K.Profile.Assumptions) {
    StringRef Name = A.What;
    if (Name.consume_front(ArgumentPrefix)) {
      Name.consume_front("#");
      Names.push_back(quoted(Name) + ": ?");
    }
  }
  if (!Names.empty())
    OS << "    # arguments: {" << join(Names, ", ") << "}\n";
}

Error gpuocc::writeLaunchesToGive(const Report &R, raw_ostream &OS) {
  const std::vector<const KernelReport *> Kernels = withoutTime(R);
  if (Kernels.empty()) {
    OS << "# all launches are known\n";
    return Error::success();
  }
  OS << "# Take away the '#' of a line and give its numbers for each '?'.\n"
        "launches:\n";
  for (const KernelReport *K : Kernels) {
    OS << "  # " << printable(shortName(K->Facts.Demangled));
    if (std::string Place = formatPlace(K->Facts.Place); !Place.empty())
      OS << ", " << printable(Place);
    OS << "\n  - kernel: " << quoted(baseName(K->Facts.Demangled)) << '\n';
    if (K->Launched.Grid) {
      const Dim3 &Grid = K->Launched.Grid->Value;
      OS << "    grid: [" << Grid.X << ", " << Grid.Y << ", " << Grid.Z
         << "]\n";
    } else {
      OS << "    # grid: [?, 1, 1]\n";
    }
    const Dim3 &Block = K->Launched.Block.Value;
    OS << (K->Launched.Block.Source.by() == GivenBy::Nobody ? "    # block: ["
                                                            : "    block: [")
       << Block.X << ", " << Block.Y << ", " << Block.Z << "]\n";
    if (K->Facts.UsesDynamicShared)
      OS << "    # dynamic_shared_bytes: ?\n";
    writeArguments(*K, OS);
  }
  return Error::success();
}
