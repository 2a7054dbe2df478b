//===- CompareReportsTest.cpp - What counts as slower ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/CompareReports.h"
#include "gpuocc/Report/Gate.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;

namespace {

KernelSummary kernel(std::string Name, double TimeNs,
                     std::string Launch = "8 x 32 + 0 B") {
  KernelSummary K;
  K.Name = K.Demangled = std::move(Name);
  K.Device = "d";
  K.LaunchText = std::move(Launch);
  K.TimeNs = TimeNs;
  return K;
}

std::vector<std::string> words(const ReportSummary &A, const ReportSummary &B) {
  std::vector<std::string> Words;
  for (const KernelChange &C : compareReports(A, B, CompareOptions()))
    Words.push_back(C.either().Name + " " + changeKindText(C.Kind).str());
  return Words;
}

std::string messageOf(Error E) { return toString(std::move(E)); }

} // namespace

TEST(CompareReports, RatiosBeyondTenPercentCountSlowestFirst) {
  ReportSummary A{
      "",
      {kernel("a", 100), kernel("b", 100), kernel("c", 100), kernel("d", 100)}};
  ReportSummary B{
      "",
      {kernel("a", 109), kernel("b", 111), kernel("c", 300), kernel("d", 90)}};
  EXPECT_EQ(words(A, B), (std::vector<std::string>{"c slower", "b slower",
                                                   "d faster", "a same"}));
}

TEST(CompareReports, KernelsOfOneSideOnly) {
  EXPECT_EQ(words({"", {kernel("a", 1)}}, {"", {kernel("b", 1)}}),
            (std::vector<std::string>{"b added", "a removed"}));
}

TEST(CompareReports, ALaunchThatCannotRunIsTheSameKernel) {
  KernelSummary Works = kernel("a", 100, "8 x 512 + 0 B");
  KernelSummary Fails = kernel("a", 0, "8 x 1024 + 0 B");
  Fails.TimeNs = std::nullopt;
  Fails.CannotRun = true;
  Fails.Findings.push_back(
      {"CannotRun", "a.cu", "too many registers", 3, 1, {}});
  const ReportSummary A{"", {Works}}, B{"", {Fails}};
  EXPECT_EQ(words(A, B), std::vector<std::string>{"a cannot run"});
  EXPECT_EQ(words(B, A), std::vector<std::string>{"a runs again"});
  EXPECT_EQ(words(B, B), std::vector<std::string>{"a same"});
  EXPECT_EQ(words({"", {}}, B), std::vector<std::string>{"a cannot run"});
  EXPECT_EQ(gateFaults(compareReports(A, B, {}), FailOn()).size(), 1u);
  EXPECT_TRUE(gateFaults(compareReports(B, A, {}), FailOn()).empty());
  EXPECT_TRUE(gateFaults(compareReports(B, B, {}), FailOn()).empty());
}

TEST(CompareReports, ALostTimeIsNeverDropped) {
  KernelSummary Timed = kernel("a", 4060);
  KernelSummary Untimed = kernel("a", 0, "? x 32 + 0 B");
  Untimed.TimeNs = std::nullopt;
  // Cycles are on both sides: the time is what was compared.
  Timed.CyclesPerWarp = Untimed.CyclesPerWarp = 10;
  const ReportSummary A{"", {Timed}}, B{"", {Untimed}};
  EXPECT_EQ(words(A, B), std::vector<std::string>{"a cannot compare"});
  EXPECT_EQ(words(B, A), std::vector<std::string>{"a same"});
  EXPECT_EQ(words(B, B), std::vector<std::string>{"a same"});
  const std::vector<KernelChange> Lost = compareReports(A, B, {});
  FailOn Any;
  Any.Slowdown = 1;
  for (const FailOn &Criteria : {FailOn(), Any}) {
    const std::vector<GateFault> Faults = gateFaults(Lost, Criteria);
    ASSERT_EQ(Faults.size(), 1u);
    EXPECT_EQ(Faults[0].criterion(), "cannot-compare");
  }
  // Of neither side is a time known, and then not even cycles are.
  KernelSummary Unread = Untimed;
  Unread.CyclesPerWarp = std::nullopt;
  EXPECT_EQ(words(B, {"", {Unread}}),
            std::vector<std::string>{"a cannot compare"});
  EXPECT_EQ(words({"", {Unread}}, B), std::vector<std::string>{"a same"});
}

TEST(CompareReports, AChangedLaunchIsTheSameKernel) {
  EXPECT_EQ(words({"", {kernel("a", 100, "8 x 32 + 0 B")}},
                  {"", {kernel("a", 200, "8 x 64 + 0 B")}}),
            (std::vector<std::string>{"a slower"}));
}

TEST(CompareReports, EqualLaunchesGoTogetherBeforeOthers) {
  ReportSummary A{"", {kernel("a", 100, "x"), kernel("a", 500, "y")}};
  ReportSummary B{"", {kernel("a", 500, "y"), kernel("a", 100, "z")}};
  EXPECT_EQ(words(A, B), (std::vector<std::string>{"a same", "a same"}));
}

TEST(CompareReports, WithoutTimesTheCyclesOfAWarpAreCompared) {
  KernelSummary Before = kernel("a", 0), After = kernel("a", 0);
  Before.TimeNs = After.TimeNs = std::nullopt;
  Before.CyclesPerWarp = 10;
  After.CyclesPerWarp = 20;
  auto Changes = compareReports({"", {Before}}, {"", {After}}, {});
  EXPECT_EQ(Changes[0].Ratio, 2);
}

TEST(CompareReports, WhereDataDecidesMoreIsNeeded) {
  KernelSummary Before = kernel("a", 100), After = kernel("a", 115);
  After.DataDecides = true;
  EXPECT_EQ(words({"", {Before}}, {"", {After}}),
            (std::vector<std::string>{"a same"}));
  After.TimeNs = 121;
  EXPECT_EQ(words({"", {Before}}, {"", {After}}),
            (std::vector<std::string>{"a slower"}));
}

TEST(CompareReports, FindingsAppearByRuleAndGainNotByLine) {
  KernelSummary Before = kernel("a", 100), After = kernel("a", 200);
  Before.Findings = {{"BankConflict", "k.cu", "m", 10, 1, 1.5}};
  After.Findings = {{"UncoalescedAccess", "k.cu", "m", 12, 1, 4.0},
                    {"BankConflict", "k.cu", "m", 11, 1, 1.5}};
  ReportSummary A{"", {Before}}, B{"", {After}};
  auto Changes = compareReports(A, B, {});
  ASSERT_EQ(Changes[0].Appeared.size(), 1u);
  EXPECT_EQ(Changes[0].Appeared[0]->Rule, "UncoalescedAccess");
  EXPECT_TRUE(Changes[0].Gone.empty());
}

TEST(ReportSummary, SamplesOfAllVersionsAreRead) {
  for (unsigned V = 1; V <= currentVersion(FileFormat::Report); ++V) {
    const std::string Path =
        GPUOCC_SOURCE_DIR "/test/formats/report-" + std::to_string(V) + ".json";
    auto Text = MemoryBuffer::getFile(Path);
    ASSERT_TRUE(bool(Text)) << "no sample " << Path;
    Expected<ReportSummary> S = parseReportSummary((*Text)->getBuffer(), Path);
    ASSERT_TRUE(bool(S)) << toString(S.takeError());
    EXPECT_EQ(S->Kernels.size(), 1u);
  }
}

TEST(ReportSummary, EachKindOfBadInputHasItsMessage) {
  auto Message = [](StringRef Text) {
    Expected<ReportSummary> S = parseReportSummary(Text, "b.json");
    return S ? "" : messageOf(S.takeError());
  };
  EXPECT_THAT(Message("{\"schema_version\": 1, \"ker"),
              HasSubstr("'b.json' is not JSON"));
  EXPECT_THAT(Message("[]"), HasSubstr("'b.json' is no report"));
  EXPECT_THAT(Message("{\"schema_version\": 7, \"kernels\": []}"),
              HasSubstr("'b.json': this report has version 7; this "
                        "gpu-occupancy reads version 1: take a newer"));
  EXPECT_THAT(Message("{\"schema_version\": 1, \"tool\": \"t\", \"kernels\": "
                      "[{\"name\": 3}]}"),
              HasSubstr("'b.json': "));
}

TEST(FailOn, CriteriaAreReadAndMisspellingsTold) {
  FailOn F;
  EXPECT_FALSE(addCriterion("gain:1.3", F));
  EXPECT_FALSE(addCriterion("rule:BankConflict", F));
  EXPECT_FALSE(addCriterion("slowdown:1.1", F));
  EXPECT_EQ(F, (FailOn{1.3, {RuleId::BankConflict}, 1.1, {}, false}));
  EXPECT_THAT(messageOf(addCriterion("rule:BankConflicts", F)),
              HasSubstr("BankConflict"));
  for (StringRef Bad :
       {"gain:0.5", "gain:x", "gain:", "slowdown:nan", "speed", "registers:8",
        "registers:-8", "occupancy:+1block", "occupancy:-1warp",
        "spills:", "cannot-run:1", "advisory:x"})
    EXPECT_NE(messageOf(addCriterion(Bad, F)), "") << Bad.str();
}

TEST(FailOn, SeveralCriteriaInOneText) {
  FailOn F;
  EXPECT_FALSE(addCriteria("registers:+8,spills:+0,stack:+16,occupancy:-1block,"
                           "shared:+0,slowdown:1.1,cannot-run,advisory,"
                           "cannot-compare",
                           F));
  EXPECT_EQ(F.MostWorse, (std::map<CountedResource, uint64_t>{
                             {CountedResource::Registers, 8},
                             {CountedResource::Spills, 0},
                             {CountedResource::Stack, 16},
                             {CountedResource::Shared, 0},
                             {CountedResource::Occupancy, 1}}));
  EXPECT_EQ(F.Slowdown, 1.1);
  EXPECT_TRUE(F.CannotRun);
  EXPECT_TRUE(F.CannotCompare);
  EXPECT_EQ(F.Rules, std::vector<RuleId>{RuleId::AssemblerAdvisory});
  EXPECT_NE(messageOf(addCriteria("registers:+8,,", F)), "");
  EXPECT_EQ(criterionWords().size(), 11u);
}

TEST(FailOn, NumbersFailBeyondWhatIsAllowed) {
  KernelSummary Before = kernel("a", 100), After = kernel("a", 100);
  Before.Resources = {86, 0, 0, 1024, 3};
  After.Resources = {95, 4, 0, 1024, 2};
  const ReportSummary A{"", {Before}}, B{"", {After}};
  const std::vector<KernelChange> Changes = compareReports(A, B, {});
  auto Worse = [&](StringRef Text) {
    FailOn F;
    cantFail(addCriteria(Text, F));
    std::vector<StringRef> Words;
    for (const GateFault &Fault : gateFaults(Changes, F))
      Words.push_back(Fault.criterion());
    return Words;
  };
  using Words = std::vector<StringRef>;
  EXPECT_EQ(Worse("registers:+8,spills:+0,shared:+0,occupancy:-1block"),
            (Words{"registers", "spills"}));
  EXPECT_EQ(Worse("registers:+9,spills:+4,occupancy:-0blocks"),
            (Words{"occupancy"}));
  // What a report does not say is not judged.
  KernelSummary Unknown = kernel("a", 100);
  const ReportSummary C{"", {Unknown}};
  FailOn F;
  cantFail(addCriteria("registers:+0,occupancy:-0blocks", F));
  EXPECT_TRUE(gateFaults(compareReports(C, B, {}), F).empty());
}

TEST(FailOn, SlowdownsFailFromTheFactorOn) {
  ReportSummary A{"", {kernel("a", 100), kernel("b", 100)}};
  ReportSummary B{"", {kernel("a", 150), kernel("b", 140)}};
  auto Changes = compareReports(A, B, {});
  FailOn F;
  F.Slowdown = 1.5;
  ASSERT_EQ(failures(Changes, F).size(), 1u);
  EXPECT_EQ(failures(Changes, F)[0]->either().Name, "a");
  EXPECT_TRUE(failures(Changes, FailOn()).empty());
}

TEST(FailOn, WhatDidNotChangeDidNotGetSlower) {
  ReportSummary A{"", {kernel("a", 100), kernel("b", 100)}};
  ReportSummary B{"", {kernel("a", 100), kernel("b", 101)}};
  FailOn F;
  F.Slowdown = 1;
  CompareOptions Any;
  Any.Threshold = 1;
  EXPECT_TRUE(failures(compareReports(A, A, Any), F).empty());
  EXPECT_EQ(compareReports(A, A, Any)[0].Kind, ChangeKind::Same);
  const auto Changes = compareReports(A, B, Any);
  ASSERT_EQ(failures(Changes, F).size(), 1u);
  EXPECT_EQ(failures(Changes, F)[0]->either().Name, "b");
}
