//===- ReportKeysTest.cpp - What keys of reports tell apart ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ReportKeys.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpuocc;

namespace {

/// All that a report is made of.
struct Inputs {
  DeviceModel Device;
  Mechanisms Used;
  AssessOptions Options;
  KernelFacts Facts, Code;
  bool HasCode = false;
  Launch L;
  std::string Silenced;

  std::string key() const {
    return ReportKeys(Device, Used, Options)
        .of(Facts, HasCode ? &Code : nullptr, L, Silenced);
  }
};

TEST(ReportKeys, EqualInputsHaveOneKey) {
  EXPECT_EQ(Inputs().key(), Inputs().key());
}

TEST(ReportKeys, EachInputChangesTheKey) {
  std::set<std::string> Keys = {Inputs().key()};
  auto IsNew = [&](void (*Change)(Inputs &)) {
    Inputs I;
    Change(I);
    return Keys.insert(I.key()).second;
  };
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Device.Name = "other"; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Used.leaveOut(Mechanism(0)); }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.Lanes.MaxWarps = 1; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.MinimumGain = 2; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.MinimumGainOfRule["a"] = 2; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.MinimumGainOfRule["a"] = 3; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.Suppress = {"a", "b"}; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.Suppress = {"ab"}; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Options.AdviseLaunches = true; }));
  EXPECT_TRUE(IsNew([](Inputs &I) {
    I.Options.Beforehand.push_back({"a", "b", "", NoIndex});
  }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Facts.Name = "k"; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Facts.Place = {"a.cu", 3, 0, ""}; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.HasCode = true; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.L.Block.Value = {7, 1, 1}; }));
  EXPECT_TRUE(IsNew([](Inputs &I) { I.Silenced = "a.cu"; }));
}

} // namespace
