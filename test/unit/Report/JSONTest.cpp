//===- JSONTest.cpp - Reports to JSON and back ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Report/JSON.h"
#include "../RandomFacts.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <limits>
#include <random>

using namespace gpuocc;
using namespace llvm;

namespace {

Prediction randomPrediction(RandomValues &Random) {
  Prediction P;
  P.WarpsPerSm = unsigned(Random.below(65));
  P.BlocksPerSm = unsigned(Random.below(33));
  P.OccupancyFraction = Random.real();
  P.Limiter = Random.word(OccupancyLimiter::Cluster);
  P.ActiveWarpsPerSm = Random.real();
  for (uint64_t I = Random.below(4); I != 0; --I) {
    P.Mix.push_back({Random.word(InstClass::Unknown), Random.real()});
    P.Bounds.push_back({Random.word(Resource::Launch),
                        Random.real(),
                        {{Random.text(), Random.real(), Random.real()}}});
    P.Latency.Path.push_back({uint32_t(Random.below(9)), Random.real(),
                              Random.real(), Random.text()});
    P.Curve.push_back({Random.real(), Random.real()});
    P.Borrowed.push_back(Random.text());
  }
  P.Latency.CyclesPerWarp = Random.real();
  P.Diagnosed = {Random.word(Resource::Launch), Random.word(LastDiagnosisCause),
                 Random.real(), Random.below(2) == 0};
  P.NearBound = Random.below(2) == 0;
  P.Needed = {Random.real(), Random.real(),
              std::numeric_limits<double>::infinity(), Random.real()};
  P.Time = Random.known(
      TimeEstimate{Random.real(), Random.real(), Random.real(), Random.real()});
  P.DramReadBytesPerWarp = Random.real();
  return P;
}

Rate randomRate(RandomValues &Random) {
  return {Random.real(), Random.known(Random.real())};
}

Rates randomRates(RandomValues &Random) {
  Rates R;
  R.OfWholeLaunch = Random.below(2);
  R.DramGBs = randomRate(Random);
  R.SharedGBs = randomRate(Random);
  R.Ipc = randomRate(Random);
  for (uint64_t I = Random.below(3); I != 0; --I) {
    R.Flops.push_back({Random.word(FlopKind::TensorFp64), randomRate(Random)});
    R.InFlight.push_back({Random.word(Resource::Launch), Random.real(),
                          Random.real(), Random.known(Random.real()),
                          Random.known(Random.real())});
  }
  return R;
}

Roofline randomRoofline(RandomValues &Random) {
  Roofline R;
  R.WarpGips = Random.real();
  R.ThreadGips = Random.real();
  R.ConflictDegree = Random.real();
  for (uint64_t I = Random.below(3); I != 0; --I) {
    R.Points.push_back({Random.word(RooflineLevel::Shared),
                        Random.word(RooflineCount::SharedAccesses),
                        Random.real(), Random.real(), randomRate(Random)});
    R.Ceilings.push_back({Random.word(Resource::Launch),
                          Random.known(Random.word(InstClass::Unknown)),
                          Random.real(), Random.real()});
    R.GlobalWalls.push_back({Random.text(), Random.real()});
    R.SharedWalls.push_back({Random.text(), Random.real()});
  }
  R.NearestGlobalWall = Random.text();
  R.NearestSharedWall = Random.text();
  return R;
}

Parallelism randomParallelism(RandomValues &Random) {
  Parallelism P;
  P.Ilp = Random.real();
  P.LoadsBeforeWait = unsigned(Random.below(9));
  for (uint64_t I = Random.below(3); I != 0; --I) {
    P.Loops.push_back({uint32_t(Random.below(9)), Random.real(), Random.real(),
                       unsigned(Random.below(9)), Random.real(),
                       Random.below(2) == 1, unsigned(Random.below(9))});
    P.Chain.push_back(
        {uint32_t(Random.below(9)), uint32_t(Random.below(9)), Random.real()});
  }
  return P;
}

OccupancyRoofline randomOccupancyRoofline(RandomValues &Random) {
  OccupancyRoofline R;
  R.Warps = Random.real();
  R.Ilp = Random.real();
  for (uint64_t I = Random.below(3); I != 0; --I)
    R.Classes.push_back({Random.word(InstClass::Unknown),
                         Random.real(),
                         {{unsigned(Random.below(9)), Random.real(),
                           Random.real(), Random.real()}},
                         Random.real()});
  return R;
}

Plan randomPlan(RandomValues &Random) {
  Plan P;
  P.BeforeNs = Random.real();
  for (uint64_t J = Random.below(4); J != 0; --J) {
    PlanStep S;
    S.Rule = Random.text();
    S.Location.Places = {Random.place()};
    S.What = Random.text();
    S.TimeNs = Random.real();
    S.Gain = Random.real();
    S.BoundAfter = Random.word(Resource::Launch);
    P.Steps.push_back(S);
  }
  P.Ceiling =
      Random.known(PlanCeiling{Random.word(Resource::Launch), Random.real()});
  return P;
}

Report randomReport(unsigned Seed) {
  RandomValues Random(Seed);
  Report R;
  R.Tool = Random.text();
  for (uint64_t I = Random.below(3); I != 0; --I) {
    KernelReport K;
    K.Facts = Random.facts();
    K.Launched = Random.launch();
    K.Profile = Random.profile(K.Facts);
    K.Predicted = randomPrediction(Random);
    K.Achieved = randomRates(Random);
    K.OnRoofline = randomRoofline(Random);
    K.InParallel = randomParallelism(Random);
    K.OverOccupancy = randomOccupancyRoofline(Random);
    K.Planned = Random.known(randomPlan(Random));
    K.Device = Random.text();
    for (uint64_t J = Random.below(3); J != 0; --J) {
      Finding F;
      F.Rule = Random.word(RuleId::NotAnalyzed);
      F.Location.Places = {Random.place()};
      F.Remark = Random.word(RemarkKind::Missed);
      F.Message = {{"", Random.text()}, {Random.text(), Random.text(), true}};
      F.Gain = Random.known(Random.real());
      F.BoundAfter = Random.word(Resource::Launch);
      F.Exact = Random.word(Exactness::Unknown);
      F.Access = Random.index(K.Facts.Accesses.size());
      K.Findings.push_back(F);
    }
    R.Kernels.push_back(K);
  }
  return R;
}

std::string textOf(const Report &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream J(OS);
  writeJSON(J, R);
  return Text;
}

TEST(ReportJSON, RandomReportsSurvive) {
  for (unsigned Seed = 0; Seed != 200; ++Seed) {
    SCOPED_TRACE(Seed);
    Report R = randomReport(Seed);
    Expected<Report> Back = parseReport(textOf(R), "report.json");
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    EXPECT_EQ(R, *Back);
  }
}

TEST(ReportJSON, ReportsAreWrittenAsTheirValuesAre) {
  for (unsigned Seed = 0; Seed != 50; ++Seed) {
    SCOPED_TRACE(Seed);
    for (const KernelReport &K : randomReport(Seed).Kernels)
      for (unsigned Indent : {0, 2}) {
        std::string Made, Written;
        raw_string_ostream OfValue(Made), OfReport(Written);
        json::OStream(OfValue, Indent).value(toJSON(K));
        json::OStream J(OfReport, Indent);
        writeJSON(J, K);
        EXPECT_EQ(Made, Written);
      }
  }
}

TEST(ReportJSON, ReportWithoutDataIsAnError) {
  Expected<Report> R = parseReport(
      R"({"schema_version":1,"tool":"t","kernels":[{"name":"k"}]})", "r.json");
  ASSERT_FALSE(bool(R));
  std::string Message = toString(R.takeError());
  EXPECT_NE(Message.find("'r.json'"), std::string::npos) << Message;
  EXPECT_NE(Message.find("--with-facts"), std::string::npos) << Message;
}

TEST(ReportJSON, TheSampleOfTheVersionIsRead) {
  const std::string Path = GPUOCC_SOURCE_DIR "/test/formats/report-data-" +
                           std::to_string(ReportDataVersion) + ".json";
  auto Text = MemoryBuffer::getFile(Path);
  ASSERT_TRUE(bool(Text)) << "no sample " << Path;
  Expected<Report> R = parseReport((*Text)->getBuffer(), Path);
  ASSERT_TRUE(bool(R)) << toString(R.takeError());
  ASSERT_EQ(R->Kernels.size(), 1u);
  EXPECT_EQ(R->Kernels[0].Facts.Name, "scale");
  Expected<Report> Again = parseReport(textOf(*R), "again");
  ASSERT_TRUE(bool(Again)) << toString(Again.takeError());
  EXPECT_EQ(*Again, *R);
}

TEST(ReportJSON, DataOfAnotherVersionIsRefusedInOneLine) {
  auto ErrorOf = [](StringRef Versions) {
    Expected<Report> R = parseReport(
        ("{" + Versions + R"("tool":"t","kernels":[{"data":{"new":1}}]})")
            .str(),
        "r.json");
    return R ? "none" : toString(R.takeError());
  };
  // Reports of the time before data had a version.
  EXPECT_EQ(ErrorOf(R"("schema_version":1,)"),
            "'r.json': this data of a report has version 1; this gpu-occupancy "
            "reads version 2: write it again with 'gpu-occupancy analyze "
            "--format=json --with-facts'");
  EXPECT_EQ(ErrorOf(R"("schema_version":1,"data_version":3,)"),
            "'r.json': this data of a report has version 3; this gpu-occupancy "
            "reads version 2: take a newer gpu-occupancy");
  EXPECT_EQ(ErrorOf(R"("schema_version":2,)"),
            "'r.json': this report has version 2; this gpu-occupancy reads "
            "version 1: take a newer gpu-occupancy");
}

TEST(ReportJSON, AProblemInsideAKernelIsAnErrorThatSaysWhere) {
  Expected<Report> R = parseReport(
      R"({"schema_version":1,"data_version":2,"tool":"t",
          "kernels":[{"data":{}},{"data":{"facts":{"name":1}}}]})",
      "r.json");
  ASSERT_FALSE(bool(R));
  EXPECT_EQ(toString(R.takeError()),
            "'r.json': expected string at report.kernels[1].data.facts.name");
}

TEST(ReportJSON, DamagedReportsAreReadWithoutHarm) {
  const std::string Sample = textOf(randomReport(3));
  std::mt19937 Random(1);
  const StringRef Bytes = "{}[]\",:.-+eE0199 nulltrue\\u\xff";
  for (unsigned I = 0; I != 300; ++I) {
    std::string Text = Sample;
    for (unsigned Changes = 1 + Random() % 3; Changes != 0; --Changes)
      Text[Random() % Text.size()] = Bytes[Random() % Bytes.size()];
    if (Expected<Report> R = parseReport(Text, "r.json"); !R)
      EXPECT_TRUE(StringRef(toString(R.takeError())).starts_with("'r.json'"));
  }
}

TEST(RuleWords, NameTitleAndKind) {
  EXPECT_EQ(ruleName(RuleId::BankConflict), "BankConflict");
  EXPECT_FALSE(ruleTitle(RuleId::BankConflict).empty());
  EXPECT_EQ(ruleRemarkKind(RuleId::Assumption), RemarkKind::Analysis);
  EXPECT_EQ(ruleRemarkKind(RuleId::NotAnalyzed), RemarkKind::Missed);
}

} // namespace
