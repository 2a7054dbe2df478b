//===- DeviceRegistryTest.cpp - What is built in --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceLint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace llvm;
using ::testing::HasSubstr;

TEST(EmbeddedDevices, AreThereAndSorted) {
  EXPECT_GE(embeddedDevices().size(), 13u);
  EXPECT_TRUE(llvm::is_sorted(
      embeddedDevices(), [](const EmbeddedDevice &A, const EmbeddedDevice &B) {
        return A.Name < B.Name;
      }));
}

TEST(EmbeddedDevices, ArePackedWhole) {
  for (const EmbeddedDevice &Embedded : embeddedDevices()) {
    SCOPED_TRACE(Embedded.Name.str());
    DeviceModel Packed = cantFail(loadDeviceFile(Embedded.Name));
    DeviceModel Parsed = cantFail(parseDeviceModel(Embedded.Text, "text"));
    EXPECT_TRUE(Packed == Parsed);
    EXPECT_EQ(formatv("{0}", toJSON(Packed)).str(),
              formatv("{0}", toJSON(Parsed)).str());
  }
}

TEST(EmbeddedDevices, EachIsReadableCleanAndSurvivesJson) {
  for (const EmbeddedDevice &Embedded : embeddedDevices()) {
    SCOPED_TRACE(Embedded.Name.str());
    Expected<DeviceModel> Device = loadDevice(Embedded.Name);
    ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
    EXPECT_EQ(Device->Name, Embedded.Name);
    EXPECT_EQ(Device->Architecture, Embedded.Architecture);
    for (const LintProblem &Problem : lintDevice(*Device))
      ADD_FAILURE() << Problem.Place << ": " << Problem.Message;
    std::string Text = formatv("{0}", toJSON(*Device));
    Expected<DeviceModel> Back = parseDeviceModel(Text, "round trip");
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    EXPECT_EQ(*Back, *Device);
  }
}

TEST(EmbeddedDevices, StandForTheirArchitecture) {
  EXPECT_EQ(findDeviceForArchitecture("sm_90"), "nvidia-h200");
  EXPECT_EQ(findDeviceForArchitecture("sm_90a"), "nvidia-h200");
  // The Titan X has more numbers, of PTX instructions, but no bandwidth.
  EXPECT_EQ(findDeviceForArchitecture("sm_52"), "nvidia-gtx-980");
  EXPECT_EQ(findDeviceForArchitecture("sm_53"), std::nullopt);
  EXPECT_EQ(findDeviceForArchitecture("gfx90a"), std::nullopt);
}

TEST(EmbeddedDevices, EachArchitectureNamesOneOfItsOwn) {
  for (const ArchLimits &Limits : allArchLimits()) {
    if (Limits.DefaultDevice.empty())
      continue;
    SCOPED_TRACE(Limits.Name);
    Expected<DeviceModel> Device = loadDevice(Limits.DefaultDevice);
    ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
    EXPECT_EQ(Device->Architecture, Limits.Name);
  }
  for (const char *Arch :
       {"sm_61", "sm_70", "sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90",
        "sm_100", "sm_103", "sm_120", "sm_121"})
    EXPECT_TRUE(findDeviceForArchitecture(Arch)) << Arch;
}

TEST(EmbeddedDevices, NearestOfAnArchitectureWithoutOne) {
  EXPECT_EQ(nearestDevice("sm_53"), "nvidia-gtx-980");
  EXPECT_EQ(nearestDevice("sm_88"), "nvidia-jetson-agx-orin");
  EXPECT_EQ(nearestDevice("sm_101a"), "nvidia-b200");
  EXPECT_EQ(nearestDevice("sm_110"), "nvidia-b300");
  EXPECT_EQ(nearestDevice("gfx90a"), std::nullopt);
}

TEST(LoadDevice, TakesTheNamesThatPeopleSay) {
  for (auto [Said, Name] :
       {std::pair("RTX 4090", "nvidia-rtx-4090"),
        {"rtx4090", "nvidia-rtx-4090"},
        {"NVIDIA GeForce RTX 4070 Ti", "nvidia-rtx-4070-ti"},
        {"Tesla T4", "nvidia-t4"},
        {"h100", "nvidia-h100"},
        {"NVIDIA A100-SXM4-40GB", "nvidia-a100-40gb"},
        {"V100", "nvidia-tesla-v100"},
        {"GeForce GTX 1080", "nvidia-gtx-1080"},
        {"NVIDIA B300 SXM6 AC", "nvidia-b300"},
        {"NVIDIA H200", "nvidia-h200"}}) {
    Expected<DeviceModel> Device = loadDevice(Said);
    ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
    EXPECT_EQ(Device->Name, Name);
  }
}

TEST(LoadDevice, UnknownNameSaysTheNearest) {
  for (auto [Said, Name] : {std::pair("rtx 4095", "nvidia-rtx-4090"),
                            {"A6000", "nvidia-rtx-a6000"},
                            {"GTX 1080 Ti", "nvidia-gtx-1080"}}) {
    Expected<DeviceModel> Device = loadDevice(Said);
    ASSERT_FALSE(bool(Device));
    EXPECT_THAT(toString(Device.takeError()),
                HasSubstr("unknown device '" + std::string(Said) +
                          "'; did you mean '" + Name + "'?"));
  }
}

TEST(LoadDevice, MissingFileIsNamed) {
  Expected<DeviceModel> Device = loadDevice("no/such.json");
  ASSERT_FALSE(bool(Device));
  EXPECT_EQ(toString(Device.takeError()),
            "'no/such.json': No such file or directory");
}

TEST(LoadDevice, ReadsAFile) {
  Expected<DeviceModel> Device =
      loadDevice(GPUOCC_SOURCE_DIR "/lib/Device/data/devices/nvidia-h200.json");
  ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
  EXPECT_EQ(*Device, cantFail(loadDevice("nvidia-h200")));
}

TEST(ArchLimits, HopperAsInTheProgrammingGuide) {
  Expected<const ArchLimits &> Limits = archLimits("sm_90a");
  ASSERT_TRUE(bool(Limits)) << toString(Limits.takeError());
  EXPECT_EQ(Limits->Name, "sm_90");
  EXPECT_EQ(Limits->MaxWarpsPerSm, 64u);
  EXPECT_EQ(Limits->MaxBlocksPerSm, 32u);
  EXPECT_EQ(Limits->SharedBytesPerSm, 233472u);
  EXPECT_EQ(Limits->SharedBytesPerBlockOptin, 232448u);
  EXPECT_EQ(Limits->SharedCarveoutBytes.back(), 233472u);
}

TEST(ArchLimits, UnknownArchitectureSaysTheNearest) {
  Expected<const ArchLimits &> Limits = archLimits("sm90");
  ASSERT_FALSE(bool(Limits));
  EXPECT_THAT(toString(Limits.takeError()),
              HasSubstr("unknown architecture 'sm90'; did you mean 'sm_90'?"));
  Limits = archLimits("hopper");
  ASSERT_FALSE(bool(Limits));
  EXPECT_THAT(toString(Limits.takeError()),
              HasSubstr("unknown architecture 'hopper'; known: sm_10, "));
}

TEST(ArchLimits, CompleteFromMaxwellOn) {
  for (const ArchLimits &Limits : allArchLimits()) {
    SCOPED_TRACE(Limits.Name);
    EXPECT_FALSE(Limits.Sources.empty());
    ASSERT_TRUE(Limits.MaxWarpsPerSm);
    unsigned Version = 0;
    ASSERT_FALSE(
        StringRef(Limits.Name).drop_front(3).getAsInteger(10, Version));
    if (Version < 50)
      continue;
    EXPECT_TRUE(Limits.missingForOccupancy().empty());
    EXPECT_EQ(*Limits.MaxThreadsPerSm, 32 * *Limits.MaxWarpsPerSm);
    if (!Limits.SharedCarveoutBytes.empty()) {
      EXPECT_EQ(Limits.SharedCarveoutBytes.back(), *Limits.SharedBytesPerSm);
    }
    EXPECT_LE(*Limits.SharedBytesPerBlockOptin +
                  *Limits.ReservedSharedBytesPerBlock,
              *Limits.SharedBytesPerSm);
  }
}

TEST(ArchLimitsError, NamesFilePlaceAndNearestKey) {
  Expected<std::vector<ArchLimits>> All = parseArchLimits(
      R"({"schema_version": 1, "sources": {"g": "guide"}, "architectures":
          [{"name": "sm_1", "family": "f", "sources": ["g"],
            "max_warps": 64}]})",
      "archs.json");
  ASSERT_FALSE(bool(All));
  EXPECT_EQ(toString(All.takeError()),
            "'archs.json': architectures[0].max_warps: unknown key "
            "'max_warps'; did you mean 'max_warps_per_sm'?");
}

TEST(ArchLimitsError, SourcesAreDeclared) {
  Expected<std::vector<ArchLimits>> All = parseArchLimits(
      R"({"schema_version": 1, "sources": {"g": "guide"}, "architectures":
          [{"name": "sm_1", "family": "f", "sources": ["h"]}]})",
      "archs.json");
  ASSERT_FALSE(bool(All));
  EXPECT_EQ(toString(All.takeError()),
            "'archs.json': architectures[0].sources[0]: no entry 'h' in the "
            "file's 'sources'");
}
