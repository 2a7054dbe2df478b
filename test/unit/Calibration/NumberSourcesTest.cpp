//===- NumberSourcesTest.cpp - What groups take and formulas read ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/StandIn.h"
#include "gpuocc/Device/Quantity.h"
#include "plans/Session.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace gpuocc;
using namespace gpuocc::calibration;
using namespace llvm;

namespace {

enum class How { Taken, ByRule, BeforeVolta };

struct Row {
  How Kind;
  Quantity Q;
  StringRef Enum, Text;
};

constexpr Row Rows[] = {
#define TAKEN(Enum, Group) {How::Taken, Quantity::Enum, #Enum, Group},
#define BY_RULE(Enum, Why) {How::ByRule, Quantity::Enum, #Enum, Why},
#define BEFORE_VOLTA(Enum, Why) {How::BeforeVolta, Quantity::Enum, #Enum, Why},
#include "plans/NumberSources.def"
};

/// What groups take for formulas that are not written yet: copies in bulk, by
/// tensor maps and within clusters (docs/calibration.md states them beside what
/// others published), and counting in shared memory.
constexpr Quantity NotReadYet[] = {
    Quantity::AsyncCopyL1Latency,        Quantity::BulkCopyL2Latency,
    Quantity::BulkCopyDramLatency,       Quantity::BulkCopyDramBytesPerCycle,
    Quantity::TensorCopyL2Latency,       Quantity::TensorCopyDramLatency,
    Quantity::TensorCopyL2BytesPerCycle, Quantity::TensorCopyDramBytesPerCycle,
    Quantity::MulticastL2BytesPerCycle,  Quantity::ClusterBarrier,
    Quantity::AtomicSharedCount,
};

std::string keyOf(Quantity Q) {
  const QuantityInfo &Info = quantityInfo(Q);
  return (quantitySectionKey(Info.Section) + "." + Info.Key).str();
}

/// The texts of all sources below \p Folders, one after another.
std::string sourcesBelow(ArrayRef<StringRef> Folders, StringRef Without) {
  std::string Texts;
  for (StringRef Folder : Folders) {
    std::error_code EC;
    const std::string Root = (GPUOCC_SOURCE_DIR "/" + Folder).str();
    for (sys::fs::recursive_directory_iterator I(Root, EC), End;
         !EC && I != End; I.increment(EC)) {
      StringRef Path = I->path();
      if (!Path.ends_with(".cpp") && !Path.ends_with(".h") &&
          !Path.ends_with(".def"))
        continue;
      if (!Without.empty() && Path.contains(Without))
        continue;
      if (auto Text = MemoryBuffer::getFile(Path))
        Texts += (*Text)->getBuffer();
    }
  }
  return Texts;
}

/// Every quantity that is named in \p Text as Quantity::Name.
StringSet<> quantitiesIn(StringRef Text) {
  static constexpr StringLiteral Prefix = "Quantity::";
  StringSet<> Names;
  for (size_t At = Text.find(Prefix); At != StringRef::npos;
       At = Text.find(Prefix, At + Prefix.size()))
    Names.insert(Text.substr(At + Prefix.size()).take_while(isAlnum));
  return Names;
}

/// The numbers of the device's sections, and the first group to write each.
std::map<std::string, std::string> groupsOnStandIn() {
  std::map<std::string, std::string> Groups;
  Driver StandIn = standInDriver();
  Expected<std::unique_ptr<Gpu>> G = Gpu::open(StandIn, 0);
  if (!G) {
    ADD_FAILURE() << toString(G.takeError());
    return Groups;
  }
  RunOptions Options;
  Options.Repeats = 2;
  Database Db;
  Session S(**G, Db, Options);
  for (const Plan &P : plans()) {
    if (!P.ByDefault)
      continue;
    if (Error E = P.Run(S))
      ADD_FAILURE() << P.Name << ": " << toString(std::move(E));
    for (StringRef Section : {"chip", "memory", "runtime"})
      if (const json::Object *Numbers = Db.file().getObject(Section))
        for (const auto &Number : *Numbers)
          Groups.try_emplace((Section + "." + Number.first.str()).str(),
                             P.Name);
  }
  return Groups;
}

} // namespace

TEST(NumberSources, HaveARowForEachQuantityInOrder) {
  ASSERT_EQ(std::size(Rows), NumQuantities);
  for (unsigned I = 0; I != NumQuantities; ++I)
    EXPECT_EQ(Rows[I].Q, Quantity(I)) << Rows[I].Enum.str();
}

TEST(NumberSources, NameTheGroupThatWritesTheNumber) {
  std::map<std::string, std::string> Groups = groupsOnStandIn();
  const std::string Plans = sourcesBelow({"calibration"}, "");
  for (const Row &R : Rows) {
    const std::string Key = keyOf(R.Q);
    auto Written = Groups.find(Key);
    if (Written != Groups.end()) {
      EXPECT_EQ(R.Kind, How::Taken) << Key << " is written by a group";
      EXPECT_EQ(R.Text, Written->second) << Key;
      continue;
    }
    // What follows from times of a GPU only, as the parts of L2, is not written
    // where all times are alike.
    const bool Named =
        StringRef(Plans).contains(("\"" + quantityInfo(R.Q).Key + "\"").str());
    EXPECT_EQ(R.Kind == How::Taken, Named) << Key;
  }
  for (const auto &[Key, Group] : Groups)
    EXPECT_TRUE(any_of(Rows, [&](const Row &R) { return keyOf(R.Q) == Key; }))
        << Group << " writes " << Key << ", which no database can hold";
}

TEST(NumberSources, AreReadByAFormulaOrACommand) {
  // The device room reads to check and to derive; that is no use of a number.
  const StringSet<> Read = quantitiesIn(
      sourcesBelow({"lib", "tools", "include/gpuocc"}, "/Device/"));
  const StringSet<> Checked =
      quantitiesIn(sourcesBelow({"lib/Device"}, "DerivationRules"));
  for (const Row &R : Rows) {
    const bool Waits = is_contained(NotReadYet, R.Q);
    EXPECT_TRUE(Waits || Read.contains(R.Enum) || Checked.contains(R.Enum))
        << keyOf(R.Q) << " is read by nothing: take it out of Quantity.def";
  }
}

TEST(NumberSources, WhatNoGroupTakesFollowsFromTheRelative) {
  auto Text = MemoryBuffer::getFile(GPUOCC_SOURCE_DIR
                                    "/lib/Device/DerivationRules.def");
  ASSERT_TRUE(bool(Text));
  for (const Row &R : Rows) {
    if (R.Kind != How::ByRule)
      continue;
    const std::string Own = ("QUANTITY_RULE(" + R.Enum + ", Own)").str();
    EXPECT_FALSE((*Text)->getBuffer().contains(Own))
        << keyOf(R.Q) << " is taken by no group and derived by no rule";
    EXPECT_FALSE(R.Text.empty());
  }
}
