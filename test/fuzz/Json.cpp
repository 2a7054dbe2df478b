//===- Json.cpp - JSON of any kind ----------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "llvm/Support/JSON.h"
#include "Fuzz.h"
#include "gpuocc/Support/ParseJSON.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const StringRef Text = text(Data, Size);
  Expected<json::Value> Ours = parseJSON(Text);
  const bool IsRead = isRead(Ours);
  // Ours refuses what LLVM's parser has no stack for.
  if (Text.count('[') + Text.count('{') > 1000)
    return 0;
  Expected<json::Value> Llvms = json::parse(Text);
  require(isRead(Llvms) == IsRead, "both parsers take the same texts");
  require(!IsRead || *Ours == *Llvms, "both parsers read the same");
  return 0;
}
