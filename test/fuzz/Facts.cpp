//===- Facts.cpp - Files of kernel facts ----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "gpuocc/Kernel/JSON.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

static std::string written(const FactsFile &File) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeFactsFile(File, OS);
  return Text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Expected<FactsFile> Read = parseFactsFile(text(Data, Size), "facts.json");
  if (!isRead(Read))
    return 0;
  const std::string Text = written(*Read);
  Expected<FactsFile> Again = parseFactsFile(Text, "again.json");
  require(isRead(Again) && written(*Again) == Text, "facts survive JSON");
  return 0;
}
