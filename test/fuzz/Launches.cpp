//===- Launches.cpp - Launches of host code and of recorded runs ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"
#include "gpuocc/Kernel/HostLaunch.h"
#include "gpuocc/Toolchain/HostActivity.h"
#include "gpuocc/Toolchain/RecordedLaunch.h"

using namespace gpuocc;
using namespace gpuocc::fuzz;
using namespace llvm;

static void readRecorded(StringRef Text) {
  Expected<std::vector<RecordedLaunch>> Read =
      parseRecordedLaunches(Text, "launches");
  if (!isRead(Read))
    return;
  const std::string Written = textOf(*Read);
  Expected<std::vector<RecordedLaunch>> Again =
      parseRecordedLaunches(Written, "launches");
  require(isRead(Again) && textOf(*Again) == Written,
          "recorded launches survive");
}

static void readHostLaunches(StringRef Text) {
  Expected<std::vector<HostLaunch>> Read = parseHostLaunches(Text);
  if (!isRead(Read))
    return;
  for (const HostLaunch &L : *Read)
    for (const HostExpr &E : L.Grid) {
      (void)evaluate(E, {});
      (void)hostExprText(E);
      (void)variableOf(E);
    }
  const std::string Written = hostLaunchesText(*Read);
  Expected<std::vector<HostLaunch>> Again = parseHostLaunches(Written);
  require(isRead(Again) && hostLaunchesText(*Again) == Written,
          "launches of host code survive JSON");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  const StringRef Text = text(Data, Size);
  readRecorded(Text);
  readHostLaunches(Text);
  if (Expected<HostActivity> Activity = parseHostActivity(Text);
      isRead(Activity))
    require(Activity->Launches.size() * sizeof(uint64_t) <= Size,
            "counters are those of the file");
  return 0;
}
