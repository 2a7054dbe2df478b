//===- Ptx.cpp - PTX to LLVM IR -------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "gpuocc/ReadPtx/LiftPtx.h"
#include "gpuocc/ReadPtx/ParsePtx.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

static std::string printed(const PtxModule &M) {
  std::string Text;
  raw_string_ostream OS(Text);
  printPtx(M, OS);
  return Text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const StringRef Text = text(Data, Size);
  // Files with zeros are binary and read by nothing.
  if (Text.contains('\0'))
    return 0;
  Expected<PtxModule> Ptx = parsePtx(Text, "f.ptx");
  if (!isRead(Ptx))
    return 0;
  const std::string Once = printed(*Ptx);
  Expected<PtxModule> Again = parsePtx(Once, "f.ptx");
  mustSucceed(Again.takeError(), "printed PTX parses");
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = liftPtx(*Ptx, Context);
  if (!isRead(M))
    return 0;
  std::string Problem;
  raw_string_ostream OS(Problem);
  require(!verifyModule(**M, &OS), "lifted modules are valid: " + Problem);
  return 0;
}
