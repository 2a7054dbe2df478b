//===- NewestResults.cpp - Recorded grids of a device ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NewestResults.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

Expected<std::string> gpuocc::newestResults(StringRef Device) {
  SmallString<128> Root(GPUOCC_SOURCE_DIR);
  sys::path::append(Root, "calibration", "results", Device);
  std::set<std::string> Folders;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Root, EC), End; !EC && I != End;
       I.increment(EC)) {
    SmallString<128> Grid(I->path());
    sys::path::append(Grid, "alpha-dram.json");
    if (sys::fs::exists(Grid))
      Folders.insert(I->path());
  }
  if (Folders.empty())
    return createStringError("no recorded grids in '" + Root +
                             "'; give a folder with --data");
  return *Folders.rbegin();
}
