//===- WriteReportTest.cpp - Tests of the text and JSON views -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Report/JSON.h"
#include "gpuocc/Report/RuleIds.h"
#include "gpuocc/Views/WriteJSON.h"
#include "gpuocc/Views/WriteRoofline.h"
#include "gpuocc/Views/WriteText.h"
#include "gpuocc/Views/WriteWorksheet.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <limits>

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

Report sample() {
  KernelReport K;
  K.Facts.Name = "_Z1kPf";
  K.Facts.Demangled = "k(float*)";
  K.Facts.Place = {"k.cu", 3, 0, "k"};
  K.Facts.Resources.RegistersPerThread = 20;
  K.Facts.Resources.Source = "ptxas 13.0";
  K.Facts.StaticSharedBytes = 128;
  K.Facts.Operations.resize(1);
  K.Facts.Operations[0].Opcode = "LD_i32";
  K.Facts.Operations[0].Block = 0;
  K.Facts.Blocks.resize(1);
  K.Facts.Blocks[0].NumOps = 1;
  K.Facts.Accesses.resize(1);
  K.Facts.Accesses[0].Op = 0;
  K.Facts.Accesses[0].Space = MemorySpace::Param;
  K.Profile.Accesses.resize(1);
  K.Launched.Block = {{32, 8, 1}, ".gpu-occupancy:4"};
  K.Launched.DynamicSharedBytes = {64, "--launch"};
  K.Device = "nvidia-h200";
  K.Predicted.WarpsPerSm = 64;
  K.Predicted.Limiter = OccupancyLimiter::Warps;
  K.Predicted.Bounds = {{Resource::Dram, 84.6, {{"global load", 4, 20}}}};
  K.Predicted.Needed.P90 = 12.2;
  K.Predicted.Needed.P95 = std::numeric_limits<double>::infinity();
  K.Predicted.Latency.Path = {{0, 5, 12, "waits for its operands"}};
  for (unsigned I = 0; I != 3; ++I) {
    Finding F;
    F.Rule = I == 0 ? RuleId::KernelVerdict : RuleId::BankConflict;
    F.Location.Places = {{"k.cu", 5 + I, 9, "k"}};
    F.Message = {{"", "message "}, {"Number", std::to_string(I)}};
    if (I != 0)
      F.Gain = 2.5;
    K.Findings.push_back(F);
  }
  K.Profile.Assumptions = {{"argument n", "8", "give it", NoIndex}};
  Report R;
  R.Tool = "tool 1";
  R.Kernels = {K};
  return R;
}

std::string jsonOf(const Report &R, JSONContents Contents) {
  std::string Text;
  raw_string_ostream OS(Text);
  JSONOptions Options;
  Options.Contents = Contents;
  cantFail(writeJSON(R, Options, OS));
  return Text;
}

std::string textOf(const Report &R, unsigned MaxFindings) {
  std::string Text;
  raw_string_ostream OS(Text);
  TextOptions Options;
  Options.MaxFindings = MaxFindings;
  cantFail(writeText(R, Options, OS));
  return Text;
}

TEST(WriteJSON, UnknownIsNull) {
  json::Value V = cantFail(json::parse(jsonOf(sample(), JSONContents::Public)));
  const json::Object &K =
      *(*V.getAsObject()->getArray("kernels"))[0].getAsObject();
  EXPECT_EQ(*K.get("predicted_time_ns"), json::Value(nullptr));
  EXPECT_EQ(*K.getObject("launch")->get("grid"), json::Value(nullptr));
  EXPECT_EQ(*K.getObject("needed_warps")->get("p95"), json::Value(nullptr));
  EXPECT_EQ(K.getObject("needed_warps")->getNumber("p90"), 12.2);
  EXPECT_EQ(K.getInteger("shared_bytes"), 192);
  EXPECT_EQ(K.getString("limiter"), "latency");
  const json::Object &Access = *(*K.getArray("accesses"))[0].getAsObject();
  EXPECT_EQ(Access.getString("space"), "constant");
  EXPECT_EQ(Access.getString("exactness"), "unknown");
  EXPECT_EQ(*Access.get("sectors_per_request"), json::Value(nullptr));
  EXPECT_EQ(*Access.get("line"), json::Value(nullptr));
  EXPECT_EQ(K.get("data"), nullptr);
}

TEST(WriteJSON, ReadsBackWithData) {
  Report R = sample();
  R.Kernels[0].OverSizes = SizeSweep{{"n"}, 1, true, {{1 << 16, 132, 1, 2500}}};
  for (JSONContents Contents :
       {JSONContents::WithData, JSONContents::OnlyData}) {
    Expected<Report> Back = parseReport(jsonOf(R, Contents), "r.json");
    ASSERT_TRUE(bool(Back)) << toString(Back.takeError());
    EXPECT_EQ(R, *Back);
  }
}

TEST(WriteText, FindingsUpToTheLimit) {
  std::string All = textOf(sample(), 10);
  EXPECT_THAT(All, HasSubstr("k(float*)  k.cu:3\n"));
  EXPECT_THAT(All, HasSubstr("verdict     message 0\n"));
  EXPECT_THAT(All, HasSubstr("launch      grid unknown, block 32x8 "
                             "(.gpu-occupancy:4)\n"));
  EXPECT_THAT(All,
              HasSubstr("    2.5x   k.cu:6:9: message 1 [BankConflict]\n"));
  EXPECT_THAT(All, HasSubstr("argument n = 8; give it\n"));
  EXPECT_THAT(All, Not(HasSubstr("left out")));
  std::string One = textOf(sample(), 1);
  EXPECT_THAT(One, Not(HasSubstr("k.cu:7:9")));
  EXPECT_THAT(One, HasSubstr("1 more finding of smaller gain left out\n"));
}

TEST(WriteText, TimesOverSizes) {
  Report R = sample();
  EXPECT_THAT(textOf(R, 10), Not(HasSubstr("by size")));
  R.Kernels[0].OverSizes = SizeSweep{
      {"w", "h"}, 2, false, {{1 << 16, 8, 32, 2621.44}, {100, 1, 1, 200}}};
  EXPECT_THAT(textOf(R, 10),
              HasSubstr("by size     2^16: 2.62 us (0.04 ns each), 100: 200 ns "
                        "(2 ns each); a sweep over an assumed launch: w and h "
                        "= the side of a square of them, blocks of 32x8, as "
                        "many as reach each element once\n"));
}

TEST(WriteText, OneIsSingular) {
  Report R = sample();
  R.Kernels[0].Facts.Resources.RegistersPerThread = 1;
  R.Kernels[0].Predicted.WarpsPerSm = R.Kernels[0].Predicted.BlocksPerSm = 1;
  std::string Text = textOf(R, 10);
  EXPECT_THAT(Text, HasSubstr("resources   1 register (ptxas 13.0)"));
  EXPECT_THAT(Text, HasSubstr("occupancy   1 warp and 1 block per SM"));
}

TEST(WriteText, NoKernels) { EXPECT_EQ(textOf(Report(), 10), "no kernels\n"); }

TEST(WriteWorksheet, TermsAndPath) {
  std::string Text;
  raw_string_ostream OS(Text);
  cantFail(writeWorksheet(sample().Kernels[0], WorksheetOptions(), OS));
  EXPECT_THAT(Text, HasSubstr("  dram        84.6"));
  EXPECT_THAT(Text, HasSubstr("80  global load"));
  EXPECT_THAT(Text, HasSubstr("LD_i32"));
  EXPECT_THAT(Text, HasSubstr("needed warps: 13 for 90 %, no number of warps "
                              "reaches 95 % of the bound;"));
  EXPECT_THAT(Text, HasSubstr("time: unknown, no launch is known"));
}

/// The widest line of what \p Columns columns make of a roofline.
size_t widestLine(unsigned Columns) {
  Roofline R;
  R.WarpGips = R.ThreadGips = 100;
  R.Points = {{RooflineLevel::L1, RooflineCount::All, 2, 100, {50, 1000.0}},
              {RooflineLevel::Dram, RooflineCount::All, 4, 100, {25, 100.0}}};
  R.Ceilings = {{Resource::Issue, Known<InstClass>::unknown("any"), 1000, 0}};
  std::string Text;
  raw_string_ostream OS(Text);
  writeRoofline(R, Columns, OS);
  const StringRef Drawing = StringRef(Text)
                                .split('\n')
                                .second.ltrim('\n')
                                .split('\n')
                                .second.split("  = issue")
                                .first;
  size_t Widest = 0;
  for (StringRef Rest = Drawing; !Rest.empty(); Rest = Rest.split('\n').second)
    Widest = std::max(Widest, Rest.split('\n').first.size());
  return Widest;
}

TEST(WriteRoofline, IsAsWideAsTheTerminal) {
  EXPECT_LE(widestLine(60), 60u);
  EXPECT_GT(widestLine(60), 50u);
  EXPECT_LE(widestLine(1000), 100u);
}

TEST(WriteRoofline, LeavesTheDrawingOutWhereItDoesNotFit) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeRoofline(Roofline(), 39, OS);
  EXPECT_THAT(Text, Not(HasSubstr("= issue")));
  EXPECT_THAT(Text, HasSubstr("predication: 100 %"));
}

TEST(WriteRoofline, LeavesTheDrawingOutWhereNothingIsIssued) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeRoofline(Roofline(), 100, OS);
  EXPECT_THAT(Text, Not(HasSubstr("= issue")));
}

} // namespace
