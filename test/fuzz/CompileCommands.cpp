//===- CompileCommands.cpp - Compile databases, options of nvcc -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/CompileCommands.h"
#include "Fuzz.h"
#include "gpuocc/Toolchain/ClangArguments.h"
#include "gpuocc/Toolchain/NvccArguments.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<std::vector<CompileCommand>> Commands =
      parseCompileCommands(text(Data, Size), "/none/compile_commands.json");
  if (!isRead(Commands))
    return 0;
  for (const CompileCommand &C : *Commands) {
    const std::vector<std::string> Options = C.options();
    (void)C.isByNvcc();
    (void)isForNvcc(Options);
    (void)selectClangArguments(Options, C.Directory);
    for (UnknownArguments Unknown :
         {UnknownArguments::Drop, UnknownArguments::Keep}) {
      Expected<TranslatedArguments> Translated =
          translateNvccArguments(Options, C.Directory, Unknown);
      (void)isRead(Translated);
    }
  }
  return 0;
}
