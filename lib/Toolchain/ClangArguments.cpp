//===- ClangArguments.cpp - clang's command line, for an analysis ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/ClangArguments.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Architectures[] = {"--cuda-gpu-arch=",
                                                  "--offload-arch="};

/// True when \p Argument names architectures, which go to \p Out.
static bool takeArchitectures(StringRef Argument, TranslatedArguments &Out) {
  for (StringRef Prefix : Architectures) {
    if (!Argument.consume_front(Prefix))
      continue;
    SmallVector<StringRef, 2> Names;
    Argument.split(Names, ',', -1, /*KeepEmpty=*/false);
    for (StringRef Name : Names)
      if (Name.starts_with("sm_") && !is_contained(Out.Architectures, Name))
        Out.Architectures.push_back(Name.str());
    return true;
  }
  return false;
}

TranslatedArguments
gpuocc::selectClangArguments(ArrayRef<std::string> Arguments,
                             StringRef Directory) {
  TranslatedArguments Out;
  SortedOptions Sorted = sortOptions(Arguments, Directory);
  for (std::string &Option : Sorted.Taken)
    if (!takeArchitectures(Option, Out))
      Out.Clang.push_back(std::move(Option));
  Out.Inputs = std::move(Sorted.Inputs);
  Out.Dropped = std::move(Sorted.Dropped);
  return Out;
}
