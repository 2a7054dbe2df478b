//===- DeviceReaderFuzzTest.cpp - Damaged files are read without harm -----===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceLint.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <random>

using namespace gpuocc;
using namespace llvm;

/// A small database with most sections.
static StringRef sample() {
  for (const EmbeddedDevice &Device : embeddedDevices())
    if (Device.Name == "nvidia-gtx-680")
      return Device.Text;
  ADD_FAILURE() << "nvidia-gtx-680 is gone";
  return "";
}

/// Reads \p Text; what is read must also survive lint, writing and reading.
static void readHarmlessly(const std::string &Text) {
  Expected<DeviceModel> Device = parseDeviceModel(Text, "damaged.json");
  if (!Device) {
    EXPECT_TRUE(StringRef(toString(Device.takeError()))
                    .starts_with("'damaged.json': "));
    return;
  }
  (void)lintDevice(*Device);
  std::string Again = formatv("{0}", toJSON(*Device));
  Expected<DeviceModel> Back = parseDeviceModel(Again, "again.json");
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError()) << "\n" << Text;
  EXPECT_EQ(*Back, *Device) << Text;
}

TEST(DeviceReaderFuzz, CutFilesAreErrors) {
  for (size_t Length = 0; Length < sample().rtrim().size(); Length += 13) {
    Expected<DeviceModel> Device =
        parseDeviceModel(sample().take_front(Length), "cut.json");
    EXPECT_FALSE(bool(Device)) << Length;
    consumeError(Device.takeError());
  }
}

TEST(DeviceReaderFuzz, ChangedBytes) {
  std::mt19937 Random(1);
  const StringRef Bytes = "{}[]\",:.-+eE0199 nulltrue\\u";
  for (unsigned I = 0; I != 3000; ++I) {
    std::string Text = sample().str();
    for (unsigned Changes = 1 + Random() % 3; Changes != 0; --Changes)
      Text[Random() % Text.size()] = Bytes[Random() % Bytes.size()];
    readHarmlessly(Text);
  }
}

TEST(DeviceReaderFuzz, NumbersBeyondDoubleAreErrors) {
  Expected<DeviceModel> Device = parseDeviceModel(
      R"({"schema_version": 1, "name": "n", "display_name": "N",
          "architecture": "sm_90", "chip": {"sm_count": {"value": 1e999,
          "unit": "count", "origin": "vendor", "source": "s"}}})",
      "large.json");
  ASSERT_FALSE(bool(Device));
  EXPECT_EQ(toString(Device.takeError()),
            "'large.json': chip.sm_count.value: expected a number, found one "
            "that is too large");
}
