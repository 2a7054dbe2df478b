//===- DocumentationTest.cpp - docs/device-database.md is complete --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Device/InstTiming.h"
#include "gpuocc/Device/Quantity.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;

namespace {

class DeviceDocs : public ::testing::Test {
protected:
  void SetUp() override {
    auto Buffer =
        MemoryBuffer::getFile(GPUOCC_SOURCE_DIR "/docs/device-database.md");
    ASSERT_TRUE(bool(Buffer));
    Text = (*Buffer)->getBuffer().str();
  }

  /// The page has the table row of \p Key, word for word.
  void expectRow(StringRef Key, StringRef Unit, StringRef Description) {
    std::string Row =
        ("| `" + Key + "` | " + Unit + " | " + Description + " |\n").str();
    EXPECT_TRUE(StringRef(Text).contains(Row)) << "missing: " << Row;
  }

  std::string Text;
};

} // namespace

TEST_F(DeviceDocs, HaveEveryQuantity) {
  for (const QuantityInfo &Info : quantityTable())
    expectRow(Info.Key, Info.Unit, Info.Description);
}

TEST_F(DeviceDocs, HaveEveryTimingField) {
  for (unsigned I = 0; I != NumTimingFields; ++I)
    expectRow(timingFieldKey(TimingField(I)), timingFieldUnit(TimingField(I)),
              timingFieldDescription(TimingField(I)));
}

TEST_F(DeviceDocs, HaveEveryArchitectureLimit) {
  for (const ArchLimitInfo &Info : archLimitTable())
    expectRow(Info.Key, Info.Unit, Info.Description);
}

TEST_F(DeviceDocs, HaveEveryBuiltInDeviceAndOrigin) {
  for (const EmbeddedDevice &Device : embeddedDevices())
    EXPECT_TRUE(StringRef(Text).contains(("`" + Device.Name + "`").str()))
        << Device.Name.str();
  for (StringRef Origin : numberOriginKeys())
    EXPECT_TRUE(StringRef(Text).contains(("`" + Origin + "`").str()))
        << Origin.str();
}
