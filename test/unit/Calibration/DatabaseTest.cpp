//===- DatabaseTest.cpp - Text, checks, comparison ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "record/Database.h"
#include "gpuocc/Support/OutputFile.h"
#include "record/Pool.h"
#include "record/Progress.h"
#include "record/Report.h"
#include "llvm/Support/FileSystem.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace gpuocc::calibration;
using namespace llvm;

static json::Value number(double Value) {
  return measured(summarize(std::vector<double>(25, Value)), Take::Mean,
                  "cycle", "a kernel");
}

static Database smallDatabase(double Latency) {
  Database Db;
  Db.setTop("name", "a-gpu");
  Db.setTop("display_name", "A <GPU> & more");
  Db.setTop("architecture", "sm_90");
  Db.setRecord("date", today());
  Db.set("chip", "sm_count", vendor(132, "count", "driver"));
  Db.set("memory", "l2_hit_latency_cycles", number(Latency));
  Db.setInstruction("fp32.add", "latency_cycles", number(4));
  return Db;
}

TEST(DatabaseText, ComesBackTheSame) {
  Database Db = smallDatabase(290);
  std::string Text = toText(json::Value(json::Object(Db.file())));
  Expected<json::Value> Back = json::parse(Text);
  ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
  EXPECT_EQ(toText(*Back), Text);
  EXPECT_EQ(Db.value("memory", "l2_hit_latency_cycles"), 290);
  EXPECT_EQ(Db.instructionValue("fp32.add", "latency_cycles"), 4);
  EXPECT_EQ(Db.value("memory", "nothing"), std::nullopt);
}

TEST(DatabaseText, HasAFixedOrderAndANumberPerLine) {
  std::string Text =
      toText(json::Value(json::Object(smallDatabase(290).file())));
  EXPECT_LT(Text.find("\"schema_version\""), Text.find("\"name\""));
  EXPECT_LT(Text.find("\"chip\""), Text.find("\"memory\""));
  EXPECT_NE(Text.find("{\"value\": 132, \"unit\": \"count\", \"origin\": "
                      "\"vendor\", \"source\": \"driver\"}"),
            std::string::npos);
}

TEST(DatabaseText, WritesWhatIsNotFiniteAsNull) {
  EXPECT_EQ(toText(json::Value(NAN)), "null\n");
}

TEST(DatabaseFiles, AreReadBackAndErrorsNameTheFile) {
  SmallString<128> Path;
  ASSERT_FALSE(sys::fs::createTemporaryFile("gpuocc", "json", Path));
  ASSERT_FALSE(bool(writeOutput(Path, "{\"a\": 1}")));
  Expected<json::Object> File = readObject(Path);
  ASSERT_TRUE(bool(File));
  EXPECT_EQ(File->getInteger("a"), 1);
  ASSERT_FALSE(bool(writeOutput(Path, "{\"a\": ")));
  std::string Message = toString(readObject(Path).takeError());
  EXPECT_NE(Message.find(Path.str().str()), std::string::npos);
  sys::fs::remove(Path);
  EXPECT_NE(
      toString(readObject("/no/such.json").takeError()).find("/no/such.json"),
      std::string::npos);
}

TEST(LeaveOutZeros, NamesThePlacesOfWhatNoReaderTakes) {
  Database Db;
  Db.set("runtime", "launch_gap_ns", derived(0, "ns", "a difference"));
  Db.set("memory", "l1_increment_cycles", derived(0, "cycle", "a slope"));
  Db.set("memory", "l2_slice_bytes", derived(512, "byte", "a table"));
  Db.setInstruction("fp32.add", "issue_cycles", derived(0, "cycle", "a chain"));
  leaveOutZeros(Db.file());
  EXPECT_FALSE(Db.value("runtime", "launch_gap_ns"));
  EXPECT_EQ(Db.value("memory", "l1_increment_cycles"), 0);
  EXPECT_EQ(Db.value("memory", "l2_slice_bytes"), 512);
  EXPECT_FALSE(Db.instructionValue("fp32.add", "issue_cycles"));
  EXPECT_EQ(Db.file().getObject("record")->getString("left_out"),
            "runtime.launch_gap_ns, instructions.fp32.add.issue_cycles");
}

TEST(LintDatabase, AcceptsARecordedRun) {
  Expected<json::Object> File =
      readObject(GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h200/"
                                   "2026-11-21T0637/second-run.json");
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  EXPECT_EQ(lintDatabase(*File), std::vector<std::string>());
}

TEST(LintDatabase, NamesThePlaceOfEachProblem) {
  Database Db = smallDatabase(1);
  Db.set("chip", "l2_bytes", json::Object{{"value", 1}, {"unit", "byte"}});
  Table T;
  T.Columns = {"a", "b"};
  T.Rows = {{1}};
  Db.setTable("odd", T.toJson());
  // A file that says so; the tool that measured it would not have kept it.
  json::Object &Latency =
      *Db.file().getObject("memory")->getObject("l2_hit_latency_cycles");
  Latency["value"] = -4;
  std::vector<std::string> Problems = lintDatabase(Db.file());
  ASSERT_EQ(Problems.size(), 4u);
  EXPECT_NE(Problems[0].find("chip.l2_bytes.source"), std::string::npos);
  EXPECT_NE(Problems[1].find("chip.l2_bytes.origin"), std::string::npos);
  EXPECT_NE(Problems[2].find("memory.l2_hit_latency_cycles.value"),
            std::string::npos);
  EXPECT_NE(Problems[3].find("tables.odd"), std::string::npos);
}

TEST(LintDatabase, AcceptsWhatIsBuiltIn) {
  std::error_code EC;
  unsigned Files = 0;
  for (sys::fs::directory_iterator
           I(GPUOCC_SOURCE_DIR "/lib/Device/data/devices", EC),
       End;
       !EC && I != End; I.increment(EC), ++Files) {
    Expected<json::Object> File = readObject(I->path());
    ASSERT_TRUE(bool(File)) << toString(File.takeError());
    EXPECT_EQ(lintDatabase(*File), std::vector<std::string>()) << I->path();
  }
  EXPECT_GT(Files, 10u);
}

TEST(LintDatabase, WantsTheRecordOfMeasuredNumbers) {
  json::Object File = smallDatabase(290).file();
  File.erase("record");
  EXPECT_EQ(lintDatabase(File), std::vector<std::string>{
                                    "record: missing beside measured numbers"});
}

/// A process whose samples of the gap are all \p Gap.
static json::Object processWithGap(double Gap) {
  Database Db;
  Db.set("runtime", "launch_gap_ns", number(Gap));
  Db.set("runtime", "barrier_base_cycles", derived(Gap, "cycle", "a fit"));
  return Db.file();
}

TEST(Pooled, AgreeingProcessesAreStable) {
  std::vector<json::Object> Runs;
  for (double Gap : {1300, 1301, 1299, 1300, 1302, 1298})
    Runs.push_back(processWithGap(Gap));
  Database Db(pooled(Runs));
  EXPECT_EQ(Db.value("runtime", "launch_gap_ns"), 1300);
  const json::Object *Gap =
      Db.file().getObject("runtime")->getObject("launch_gap_ns");
  EXPECT_EQ(Gap->getBoolean("stable"), true);
  EXPECT_EQ(Gap->getInteger("samples"), 6);
  EXPECT_EQ(Gap->getString("source"), "a kernel; mean of 6 processes");
  EXPECT_EQ(Db.value("runtime", "barrier_base_cycles"), 1300);
}

TEST(Pooled, ProcessesThatDifferAreNot) {
  // Each is steady, but they are of two kinds.
  std::vector<json::Object> Runs;
  for (double Gap : {1290, 1380, 1290, 1290, 1380, 1290})
    Runs.push_back(processWithGap(Gap));
  json::Object Of = pooled(Runs);
  EXPECT_EQ(
      Of.getObject("runtime")->getObject("launch_gap_ns")->getBoolean("stable"),
      false);
  // One of six that is another: not averaged in silence either.
  Runs.assign(6, processWithGap(1290));
  Runs[0] = processWithGap(1380);
  Of = pooled(Runs);
  EXPECT_EQ(
      Of.getObject("runtime")->getObject("launch_gap_ns")->getBoolean("stable"),
      false);
}

TEST(Pooled, WhatOneProcessLacksStaysAsItIs) {
  std::vector<json::Object> Runs = {processWithGap(1290), json::Object()};
  EXPECT_EQ(toText(json::Value(pooled(Runs))),
            toText(json::Value(processWithGap(1290))));
}

TEST(Compare, AllowsLatenciesOnePercent) {
  Database A = smallDatabase(290), B = smallDatabase(294);
  B.set("runtime", "launch_gap_ns", number(1300));
  Comparison C = compareDatabases(A.file(), B.file());
  ASSERT_EQ(C.Common.size(), 3u);
  const Difference &D = C.Common.back();
  EXPECT_EQ(D.Place, "memory.l2_hit_latency_cycles");
  EXPECT_NEAR(D.Relative, 4 / 290.0, 1e-9);
  EXPECT_EQ(D.Allowed, 0.01);
  EXPECT_EQ(C.OnlyRight, std::vector<std::string>{"runtime.launch_gap_ns"});
  EXPECT_TRUE(C.OnlyLeft.empty());
}

TEST(Compare, TakesTheLatenciesFromClassToClass) {
  auto WithTable = [](double Cycles) {
    Database D = smallDatabase(290);
    D.setTable(
        "cross_class_latency",
        json::Object{{"columns", json::Array{"producer", "fp32.fma"}},
                     {"rows", json::Array{json::Array{"popc", Cycles},
                                          json::Array{"flo", nullptr}}}});
    return D;
  };
  Comparison C = compareDatabases(WithTable(17).file(), WithTable(18).file());
  const Difference *Found = nullptr;
  for (const Difference &D : C.Common)
    if (D.Place == "cross_class_latency.popc -> fp32.fma")
      Found = &D;
  ASSERT_TRUE(Found);
  EXPECT_NEAR(Found->Relative, 1 / 17.0, 1e-9);
  EXPECT_EQ(Found->Allowed, 0.01);
}

TEST(Compare, TwoRecordedRunsAgreeInNearlyAllNumbers) {
  std::string Folder =
      GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h200/2026-11-21T0637/";
  Expected<json::Object> A = readObject(Folder + "first-run.json");
  Expected<json::Object> B = readObject(Folder + "second-run.json");
  ASSERT_TRUE(bool(A) && bool(B));
  Comparison C = compareDatabases(*A, *B);
  EXPECT_GT(C.Common.size(), 600u);
  unsigned Apart = 0, Unmarked = 0;
  for (const Difference &D : C.Common) {
    Apart += D.Relative > D.Allowed;
    Unmarked += D.Relative > D.Allowed && !D.Unstable;
  }
  EXPECT_LE(Apart, C.Common.size() / 50);
  EXPECT_LE(Unmarked, 4u);
}

TEST(Promote, DropsWhatNoModelReads) {
  Expected<json::Object> File =
      readObject(GPUOCC_SOURCE_DIR "/calibration/results/nvidia-h200/"
                                   "2026-11-21T0637/second-run.json");
  ASSERT_TRUE(bool(File)) << toString(File.takeError());
  json::Object Full = *File;
  json::Object Small = promoted(std::move(*File), "results/run.json");
  std::string Before = toText(json::Value(json::Object(Full)));
  std::string After = toText(json::Value(json::Object(Small)));
  EXPECT_LT(After.size(), Before.size());
  EXPECT_FALSE(StringRef(After).contains("kernel_checks"));
  Comparison C = compareDatabases(Full, Small);
  EXPECT_TRUE(C.OnlyLeft.empty() && C.OnlyRight.empty());
  for (const Difference &D : C.Common)
    EXPECT_EQ(D.Relative, 0) << D.Place;
  EXPECT_EQ(Small.getObject("record")->getString("results"),
            "results/run.json");
}

TEST(Promote, KeepsTheCurvesOfInstructions) {
  json::Object File = smallDatabase(290).file();
  Database Db(std::move(File));
  const json::Array Curve{
      json::Object{{"ilp", 1}, {"warps", 4}, {"per_cycle_sm", 0.99}}};
  Db.setInstruction("fp32.add", "curve", json::Array(Curve));
  const json::Object Small = promoted(Db.file(), "results/run.json");
  const json::Array *Kept =
      Small.getObject("instructions")->getObject("fp32.add")->getArray("curve");
  ASSERT_TRUE(Kept);
  EXPECT_EQ(*Kept, Curve);
}

TEST(Promote, TakesNumbersOfTheSupplement) {
  json::Object File = smallDatabase(290).file();
  Database More;
  More.set("memory", "l2_hit_latency_cycles", number(300));
  More.set("runtime", "cold_start_cycles", number(610));
  addNumbers(File, More.file());
  Database Both(std::move(File));
  EXPECT_EQ(Both.value("memory", "l2_hit_latency_cycles"), 300);
  EXPECT_EQ(Both.value("memory", "dram_latency_cycles"),
            smallDatabase(290).value("memory", "dram_latency_cycles"));
  EXPECT_EQ(Both.value("runtime", "cold_start_cycles"), 610);
}

TEST(MarkUnstable, MarksWhatIsNewOrOtherThanBefore) {
  Summary S = summarize({100, 100, 100});
  auto Number = [&] { return measured(S, Take::Mean, "cycle", "test"); };
  Database Db;
  Db.set("memory", "old", Number());
  json::Object Before = Db.file();
  Db.set("memory", "new", Number());
  Db.set("memory", "computed", derived(1, "cycle", "test"));
  Db.setInstruction("fp32.add", "latency_cycles", Number());
  EXPECT_EQ(markUnstable(Db.file(), Before), 2u);
  const json::Object *Memory = Db.file().getObject("memory");
  EXPECT_EQ(Memory->getObject("old")->getBoolean("stable"), true);
  EXPECT_EQ(Memory->getObject("new")->getBoolean("stable"), false);
  EXPECT_FALSE(Memory->getObject("computed")->get("stable"));
}

TEST(Report, IsOnePageThatLoadsNothing) {
  Database Db = smallDatabase(290);
  Db.setInstruction(
      "fp32.add", "curve",
      json::Array{
          json::Object{{"ilp", 1}, {"warps", 4}, {"per_cycle_sm", 0.99}},
          json::Object{{"ilp", 1}, {"warps", 8}, {"per_cycle_sm", 1.98}}});
  std::string Page = htmlReport(Db.file());
  EXPECT_NE(Page.find("A &lt;GPU&gt; &amp; more"), std::string::npos);
  EXPECT_NE(Page.find("\"title\":\"fp32.add\""), std::string::npos);
  EXPECT_NE(Page.find("l2_hit_latency_cycles"), std::string::npos);
  for (const char *Loads : {"src=\"", "href=\"", "@import", "url(", "<link"})
    EXPECT_EQ(Page.find(Loads), std::string::npos) << Loads;
}

TEST(Progress, TrustsTheEstimateFirstAndTheClockLater) {
  EXPECT_EQ(remainingSeconds(0, 3, 20), 17);
  EXPECT_NEAR(remainingSeconds(0.5, 20, 20), 15, 1e-9);
  EXPECT_EQ(remainingSeconds(1, 40, 20), 0);
}
