//===- Triton.cpp - What Triton says of its kernels -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "sources/TritonCache.h"
#include "llvm/Support/FileSystem.h"
#include <unistd.h>

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // The reader takes a file: the JSON beside the PTX.
  static const std::string Stem =
      "/tmp/gpuocc-fuzz-triton-" + std::to_string(getpid());
  std::error_code Problem;
  {
    raw_fd_ostream OS(Stem + ".json", Problem);
    require(!Problem, "the file is written");
    OS << text(Data, Size);
  }
  KernelFacts Facts;
  Facts.Name = "add_kernel";
  Facts.UsesDynamicShared = true;
  const std::vector<HostLaunch> Launches =
      launchesOfTriton(Stem + ".ptx", Facts);
  sys::fs::remove(Stem + ".json");
  require(Launches.size() <= 1, "one launch of each kernel");
  return 0;
}
