//===- PtxNamesTest.cpp - One name for each PTX operation -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/PtxNames.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;

TEST(PtxNames, PublishedNamesAreThoseOfTheDatabase) {
  EXPECT_EQ(ptxOperation("div.s32.regular"), "div.s32.by_power_of_two");
  EXPECT_EQ(ptxOperation("div.s32.irregular"), "div.s32");
  EXPECT_EQ(ptxOperation("add.s32"), "add.s32");
}

TEST(PtxNames, BuiltInFilesUseNoOther) {
  for (const EmbeddedDevice &Embedded : embeddedDevices()) {
    const DeviceModel Device = cantFail(loadDeviceFile(Embedded.Name));
    for (const auto &[Name, Timing] : Device.PtxInstructions) {
      EXPECT_EQ(ptxOperation(Name), Name) << Device.Name;
      EXPECT_TRUE(Timing.O3 || Timing.O0) << Device.Name << ": " << Name;
    }
  }
}

TEST(PtxNames, AFileWithAnotherNameIsReadAsThat) {
  Expected<DeviceModel> Device = parseDeviceModel(
      R"({"schema_version": 1, "name": "x", "display_name": "X",
          "architecture": "sm_70", "ptx_instructions": {"div.u32.irregular":
          {"O3": {"value": 125, "unit": "cycle", "origin": "paper",
                  "source": "test"}}}})",
      "x.json");
  ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
  EXPECT_EQ(Device->PtxInstructions.at("div.u32").O3->Value, 125);
}

TEST(PtxNames, AClassWithoutALatencyHasThatOfItsOperation) {
  const DeviceModel P100 = cantFail(loadDevice("nvidia-tesla-p100"));
  const Number *Popc = P100.find(InstClass::Popc, TimingField::LatencyCycles);
  ASSERT_TRUE(Popc);
  EXPECT_EQ(Popc->Value, 13);
  EXPECT_EQ(Popc->Origin, NumberOrigin::Derived);
  EXPECT_EQ(P100.pipe(InstClass::Popc), Resource::Xu);
  // What it states itself stays.
  EXPECT_EQ(P100.find(InstClass::FAdd, TimingField::LatencyCycles)->Origin,
            NumberOrigin::Paper);
}
