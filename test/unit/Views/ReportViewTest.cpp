//===- ReportViewTest.cpp - Tests of the forms for other programs ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/ReportView.h"
#include "gpuocc/Report/Problems.h"
#include "gpuocc/Report/RuleIds.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/YAMLParser.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace gpuocc;
using namespace llvm;
using testing::HasSubstr;
using testing::Not;

namespace {

Finding conflict(unsigned Line, double Gain) {
  Finding F;
  F.Rule = RuleId::BankConflict;
  F.Location.Places = {{"/src/a b.cu", Line, 7, "k"}};
  F.Message = {{"", "degree "}, {"Degree", "8"}, {"", ", 50 %: pad"}};
  F.Gain = Gain;
  return F;
}

KernelReport kernel(std::string Name, std::vector<Finding> Findings) {
  KernelReport K;
  K.Facts.Name = "_Z" + Name;
  K.Facts.Demangled = std::move(Name);
  K.Device = "test-device";
  K.Findings = std::move(Findings);
  return K;
}

Report report(std::vector<KernelReport> Kernels) {
  Report R;
  R.Tool = "gpu-occupancy 1.2.3";
  R.Kernels = std::move(Kernels);
  return R;
}

std::string written(StringRef View, const Report &R) {
  std::string Text;
  raw_string_ostream OS(Text);
  ViewOptions Options;
  Options.BaseDirectory = "/src";
  cantFail(findReportView(View)->Write(R, Options, OS));
  return Text;
}

std::vector<std::string> fingerprints(const Report &R) {
  std::vector<std::string> Prints;
  for (const Problem &P : collectProblems(R))
    Prints.push_back(P.Fingerprint);
  return Prints;
}

} // namespace

TEST(Problems, InstancesAndLaunchesOfOneLineAreOneProblemOfGreatestGain) {
  Report R = report({kernel("k<int>(int*)", {conflict(5, 1.5)}),
                     kernel("k<float>(float*)", {conflict(5, 2.5)}),
                     kernel("k<float>(float*)", {conflict(5, 2.0)})});
  std::vector<Problem> Problems = collectProblems(R);
  ASSERT_EQ(Problems.size(), 1u);
  EXPECT_EQ(*Problems[0].What->Gain, 2.5);
  EXPECT_EQ(Problems[0].NumEntries, 3u);
}

TEST(Problems, GreatestGainComesFirst) {
  Report R = report({kernel("k()", {conflict(5, 1.5), conflict(6, 3)})});
  std::vector<Problem> Problems = collectProblems(R);
  ASSERT_EQ(Problems.size(), 2u);
  EXPECT_EQ(Problems[0].Place.Line, 6u);
}

TEST(Problems, FingerprintsSurviveLinesAddedAboveAndTellPlacesApart) {
  std::vector<std::string> Before =
      fingerprints(report({kernel("k()", {conflict(5, 2), conflict(6, 1.5)})}));
  std::vector<std::string> After = fingerprints(
      report({kernel("k()", {conflict(15, 2), conflict(16, 1.5)})}));
  EXPECT_EQ(Before, After);
  EXPECT_NE(Before[0], Before[1]);
  EXPECT_NE(Before, fingerprints(report({kernel(
                        "other()", {conflict(5, 2), conflict(6, 1.5)})})));
}

TEST(Problems, VerdictsAndEvidenceAreNone) {
  Finding Verdict, Mix;
  Mix.Rule = RuleId::InstructionMix;
  Mix.Remark = RemarkKind::Analysis;
  EXPECT_TRUE(collectProblems(report({kernel("k()", {Verdict, Mix})})).empty());
}

TEST(ReportViews, EachNameIsFoundAndOthersAreNot) {
  for (const ReportView &View : reportViews())
    EXPECT_EQ(findReportView(View.Name), &View);
  EXPECT_EQ(findReportView("pdf"), nullptr);
}

TEST(ReportViews, SarifHasRulesResultsAndRelativeUris) {
  Expected<json::Value> Log =
      json::parse(written("sarif", report({kernel("k()", {conflict(5, 2)})})));
  ASSERT_TRUE(bool(Log));
  const json::Object *Root = Log->getAsObject();
  EXPECT_EQ(Root->getString("version"), "2.1.0");
  const json::Object &Run = *(*Root->getArray("runs"))[0].getAsObject();
  const json::Object &Driver = *Run.getObject("tool")->getObject("driver");
  EXPECT_EQ(Driver.getString("name"), "gpu-occupancy");
  EXPECT_EQ(Driver.getString("version"), "1.2.3");
  const json::Array &Rules = *Driver.getArray("rules");
  ASSERT_EQ(Rules.size(), size_t(NumRules));
  const json::Object &Result = *(*Run.getArray("results"))[0].getAsObject();
  EXPECT_EQ(
      Result.getString("ruleId"),
      Rules[*Result.getInteger("ruleIndex")].getAsObject()->getString("id"));
  const json::Object &Place =
      *(*Result.getArray("locations"))[0].getAsObject()->getObject(
          "physicalLocation");
  EXPECT_EQ(Place.getObject("artifactLocation")->getString("uri"), "a%20b.cu");
  EXPECT_EQ(Place.getObject("region")->getInteger("startLine"), 5);
}

TEST(ReportViews, GitHubEscapesWhatEndsACommand) {
  std::string Text =
      written("github", report({kernel("k()", {conflict(5, 2)})}));
  EXPECT_EQ(Text, "::warning file=a b.cu,line=5,col=7,title=BankConflict::"
                  "degree 8, 50 %25: pad\n");
}

TEST(ReportViews, GitHubKeepsOneProblemOnOneLine) {
  Finding F = conflict(5, 2);
  F.Message = {{"", "a\n::error::b\x1b[31m"}};
  F.Location.Places.front().File = "a,b:c.cu";
  EXPECT_EQ(written("github", report({kernel("k()", {F})})),
            "::warning file=a%2Cb%3Ac.cu,line=5,col=7,title=BankConflict::"
            "a\\x0A::error::b\\x1B[31m\n");
}

TEST(ReportViews, MarkdownTablesHoldNoMarkupOfTheSource) {
  Finding F = conflict(5, 2);
  F.Message = {{"", "a|b <script>`x`\n"}};
  std::string Text = written("markdown", report({kernel("k<T>(T|x)", {F})}));
  EXPECT_THAT(Text, HasSubstr("<code>k&lt;T&gt;(T\\|x)</code>"));
  EXPECT_THAT(Text, HasSubstr("a\\|b &lt;script&gt;\\`x\\`\\\\x0A "));
  EXPECT_THAT(Text, Not(HasSubstr("<script>")));
}

TEST(ReportViews, YamlRecordsParseAndKeepTheirKeys) {
  Finding F = conflict(5, 2);
  F.Message = {{"", "it's: \"x\"\n"}, {"Degree", "8"}};
  std::string Text = written("yaml", report({kernel("k()", {F})}));
  SourceMgr Sources;
  yaml::Stream Stream(Text, Sources);
  unsigned NumDocuments = 0;
  for (yaml::Document &D : Stream) {
    ASSERT_NE(D.getRoot(), nullptr);
    ++NumDocuments;
  }
  EXPECT_EQ(NumDocuments, 1u);
  EXPECT_FALSE(Stream.failed());
  EXPECT_THAT(Text, HasSubstr("--- !Passed\nPass:            gpu-occupancy\n"));
  EXPECT_THAT(Text, HasSubstr("Degree:          '8'"));
}
