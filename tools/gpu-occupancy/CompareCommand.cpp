//===- CompareCommand.cpp - gpu-occupancy compare -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ReportFiles.h"
#include "driver/Arguments.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Views/WriteMeasured.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral CompareUsage =
    "usage: gpu-occupancy compare REPORT.json PROFILE.csv [options]\n"
    "\n"
    "Shows predicted beside measured: the report is what 'analyze\n"
    "--format=json' writes, the profile what 'ncu --csv' prints, of its page\n"
    "details or raw. Kernels are matched by name, grid and block.\n";

Expected<ExitStatus> gpuocc::runCompare(ArrayRef<StringRef> Arguments) {
  std::string Output = "-";
  Expected<ParsedArguments> Parsed = parseOrHelp(
      Arguments, CompareUsage,
      {OptionRow{"-o", "FILE", "write the comparison there", store(Output)}});
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.size() != 2)
    return createStringError("compare needs a report and a profile; see "
                             "'gpu-occupancy compare --help'");
  if (Error E = checkOutput(Output, Parsed->Positional))
    return std::move(E);
  Expected<ReportSummary> Predicted = loadReportSummary(Parsed->Positional[0]);
  if (!Predicted)
    return Predicted.takeError();
  StringRef Profile = Parsed->Positional[1];
  auto Buffer = MemoryBuffer::getFileOrSTDIN(Profile, /*IsText=*/true);
  if (!Buffer)
    return createStringError("cannot read profile '" + Profile +
                             "': " + Buffer.getError().message());
  Expected<std::vector<MeasuredLaunch>> Launches =
      parseNsightCsv((*Buffer)->getBuffer(), Profile);
  if (!Launches)
    return Launches.takeError();
  std::vector<MeasuredKernel> Matches = matchMeasured(*Predicted, *Launches);
  if (Matches.empty())
    return createStringError(whyNoneMatches(*Predicted, *Launches));
  if (Error E = writeOutput(Output, [&](raw_ostream &OS) {
        writeMeasured(Matches, OS);
        return Error::success();
      }))
    return std::move(E);
  if (Matches.size() != Predicted->Kernels.size())
    errs() << "note: "
           << formatCount(double(Predicted->Kernels.size() - Matches.size()),
                          "kernel")
           << " of the report not in the profile\n";
  return StatusGood;
}
