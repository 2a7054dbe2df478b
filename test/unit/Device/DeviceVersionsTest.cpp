//===- DeviceVersionsTest.cpp - Device databases of all versions ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Device/MigrateDevice.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

namespace {

std::string sample(const Twine &Name) {
  return (GPUOCC_SOURCE_DIR "/test/formats/" + Name).str();
}

DeviceModel loaded(const Twine &Name) {
  Expected<DeviceModel> Device = loadDeviceFile(sample(Name));
  if (Device)
    return std::move(*Device);
  ADD_FAILURE() << toString(Device.takeError());
  return {};
}

/// The keys of version \p Version, without the units behind them.
std::set<std::string> keysOf(unsigned Version) {
  auto Text =
      MemoryBuffer::getFile(sample("device-" + Twine(Version) + ".keys"));
  std::set<std::string> Keys;
  if (!Text) {
    ADD_FAILURE() << "no list of the keys of version " << Version;
    return Keys;
  }
  for (StringRef Line : split((*Text)->getBuffer(), '\n'))
    if (!Line.empty())
      Keys.insert(Line.split(' ').first.str());
  return Keys;
}

std::string errorOf(StringRef Text) {
  Expected<DeviceModel> Device = parseDeviceModel(Text, "d.json");
  return Device ? "no error" : toString(Device.takeError());
}

} // namespace

TEST(DeviceVersions, AnOlderDatabaseIsReadAsTodays) {
  for (unsigned Version = 1; Version != DeviceSchemaVersion; ++Version)
    EXPECT_EQ(loaded("device-" + Twine(Version) + ".json"),
              loaded("device-" + Twine(DeviceSchemaVersion) + ".json"))
        << Version;
}

TEST(DeviceVersions, NoKeyOfAnOlderVersionIsLost) {
  const std::set<std::string> Now = keysOf(DeviceSchemaVersion);
  for (unsigned Version = 1; Version != DeviceSchemaVersion; ++Version)
    for (StringRef Key : keysOf(Version)) {
      if (Now.count(Key.str()))
        continue;
      auto [Section, Name] = Key.split('.');
      // Members have no section to be renamed in: the sample has them all.
      if (Section == "member")
        continue;
      json::Object File{{"schema_version", Version},
                        {Section, json::Object{{Name, nullptr}}}};
      ASSERT_FALSE(bool(migrateDevice(File)));
      const json::Object *Migrated = File.getObject(Section);
      // Removed: no formula read it.
      if (Migrated->empty())
        continue;
      ASSERT_EQ(Migrated->size(), 1u);
      const StringRef New = Migrated->begin()->first;
      EXPECT_TRUE(Now.count((Section + "." + New).str()))
          << Key.str() << " has no row in DeviceChanges.def";
    }
}

TEST(DeviceVersions, ANumberThatNothingReadsIsLeftOut) {
  Expected<DeviceModel> Device = parseDeviceModel(
      R"({"schema_version": 1, "name": "n", "display_name": "N",
          "architecture": "sm_90", "runtime": {"host_latency_ns":
          {"value": 1147, "unit": "ns", "origin": "derived", "source": "s"}}})",
      "d.json");
  ASSERT_TRUE(bool(Device)) << toString(Device.takeError());
  EXPECT_TRUE(Device->Quantities.empty());
}

TEST(DeviceVersions, AKeyThatIsThereUnderItsNewNameStays) {
  json::Object File{
      {"schema_version", 1},
      {"instructions", json::Object{{"wgmma", 1}, {"wgmma.n256", 2}}}};
  ASSERT_FALSE(bool(migrateDevice(File)));
  EXPECT_EQ(json::Value(std::move(File)),
            json::Value(json::Object{
                {"schema_version", DeviceSchemaVersion},
                {"instructions", json::Object{{"wgmma.n256", 2}}}}));
}

TEST(DeviceVersions, OthersAreRefusedInOneLine) {
  EXPECT_EQ(errorOf(R"({"schema_version": 3, "some": "key"})"),
            "'d.json': this device database has version 3; this gpu-occupancy "
            "reads versions 1 to 2: take a newer gpu-occupancy");
  EXPECT_EQ(errorOf(R"({"schema_version": 0})"),
            "'d.json': this device database has version 0; this gpu-occupancy "
            "reads versions 1 to 2: measure it again with "
            "'gpu-occupancy-calibrate -o FILE'");
  EXPECT_EQ(errorOf(R"({"schema_version": "1"})"),
            "'d.json': schema_version: expected a whole number that is not "
            "negative, found a string");
}

TEST(DeviceVersions, AMisspelledKeyOfAnOlderDatabaseIsStillOne) {
  EXPECT_EQ(errorOf(R"({"schema_version": 1, "instructions": {"wgma": {}},
                        "name": "n", "display_name": "N",
                        "architecture": "sm_90"})")
                .find("'d.json': instructions.wgma: unknown key 'wgma'"),
            0u);
}
