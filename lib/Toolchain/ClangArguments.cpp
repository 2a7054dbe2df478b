//===- ClangArguments.cpp - clang's command line, for an analysis ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/ClangArguments.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

// Phases, outputs and dependence files: without a value, and with the next
// argument as theirs.
static constexpr StringLiteral Dropped[] = {"-c",
                                            "-S",
                                            "-E",
                                            "-M",
                                            "-MM",
                                            "-MD",
                                            "-MMD",
                                            "-MP",
                                            "-MG",
                                            "-v",
                                            "--cuda-device-only",
                                            "--cuda-host-only"};
static constexpr StringLiteral DroppedWithValue[] = {"-o",  "-MF", "-MT",
                                                     "-MQ", "-MJ", "-x"};
// Options that keep the next argument.
static constexpr StringLiteral KeptWithValue[] = {"-I",
                                                  "-D",
                                                  "-U",
                                                  "-include",
                                                  "-isystem",
                                                  "-iquote",
                                                  "-idirafter",
                                                  "-isysroot",
                                                  "-Xclang",
                                                  "-mllvm",
                                                  "-imacros",
                                                  "-Xcuda-ptxas",
                                                  "-Xcuda-fatbinary",
                                                  "-target",
                                                  "-L",
                                                  "-l"};
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
gpuocc::selectClangArguments(ArrayRef<std::string> Arguments) {
  TranslatedArguments Out;
  while (!Arguments.empty()) {
    StringRef Argument = Arguments.consume_front();
    if (!Argument.starts_with("-") || Argument == "-") {
      Out.Inputs.push_back(Argument.str());
      continue;
    }
    if (is_contained(DroppedWithValue, Argument)) {
      Arguments = Arguments.drop_front(Arguments.empty() ? 0 : 1);
      continue;
    }
    if (is_contained(Dropped, Argument) ||
        Argument.starts_with("-fpass-plugin=") ||
        takeArchitectures(Argument, Out))
      continue;
    Out.Clang.push_back(Argument.str());
    if (is_contained(KeptWithValue, Argument) && !Arguments.empty())
      Out.Clang.push_back(Arguments.consume_front());
  }
  return Out;
}
