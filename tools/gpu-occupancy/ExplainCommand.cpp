//===- ExplainCommand.cpp - gpu-occupancy explain -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOutputs.h"
#include "Commands.h"
#include "GuessOptions.h"
#include "OutputView.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Views/ReportView.h"
#include "gpuocc/Views/WriteDevices.h"
#include "gpuocc/Views/WriteText.h"
#include "gpuocc/Views/WriteWorksheet.h"
#include "sources/AssessFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral ExplainUsage =
    "usage: gpu-occupancy explain KERNEL FILE [options] [-- compiler options]\n"
    "\n"
    "Shows how the numbers of one kernel come about: bounds with every term, "
    "the\n"
    "longest path of a warp by source line, throughput over warps, achieved "
    "rates,\n"
    "the instruction roofline, assumptions. Drawings are as wide as the "
    "terminal.\n"
    "KERNEL is a name, a mangled name or a /regular expression/.\n";

namespace {

struct ExplainOptions {
  AssessFileOptions Files;
  ProjectOptions Sets;
  std::string Format = "text";
  std::string Output = "-";

  std::vector<OptionRow> rows();
};

} // namespace

std::vector<OptionRow> ExplainOptions::rows() {
  std::vector<OptionRow> Rows = Files.rows();
  append_range(
      Rows,
      std::vector<OptionRow>{
          {"-p", "BUILD",
           "compilation database, or the folder that holds it (the nearest)",
           store(Sets.Build)},
          {"--format", "FORM",
           "text, json (all that is known of the kernel) or html (its page)",
           storeWord(Format, {"text", "json", "html"})},
          {"-o", "FILE", "write the explanation there", store(Output)}});
  return Rows;
}

static Error noSuchKernel(StringRef Name, const Report &R) {
  SmallVector<StringRef, 8> Names;
  for (const std::vector<KernelReport> *Kernels : {&R.Kernels, &R.Refused})
    for (const KernelReport &K : *Kernels)
      Names.push_back(baseName(K.Facts.Demangled));
  if (Names.empty())
    return createStringError("the file has no kernels");
  return createStringError("there is no kernel '" + Name + "'" +
                           didYouMean(Name, Names));
}

static Error writeSheets(const Report &R, const ExplainOptions &Options,
                         raw_ostream &OS) {
  if (!Options.Files.Devices.empty()) {
    if (Error E = writeDeviceTable(R, {}, OS))
      return E;
    OS << '\n';
  }
  WorksheetOptions Sheet;
  if (unsigned Columns = viewForOutput({}, Options.Output).Columns)
    Sheet.Columns = Columns;
  writeRefusedText(R, OS);
  for (const auto &[Index, K] : enumerate(R.Kernels)) {
    if (Index != 0 || !R.Refused.empty())
      OS << '\n';
    if (Error E = writeWorksheet(K, Sheet, OS))
      return E;
  }
  return Error::success();
}

static Error write(const Report &R, const ExplainOptions &Options,
                   raw_ostream &OS) {
  if (Options.Format == "text")
    return writeSheets(R, Options, OS);
  ViewOptions View = viewForOutput({}, Options.Output);
  View.Contents = JSONContents::WithData;
  View.MaxFindings = 0;
  return findReportView(Options.Format)->Write(R, View, OS);
}

Expected<ExitStatus> gpuocc::runExplain(ArrayRef<StringRef> Arguments) {
  ExplainOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, ExplainUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.size() != 2)
    return createStringError("explain needs a kernel and a file; see "
                             "'gpu-occupancy explain --help'");
  LaunchSpec Wanted;
  Wanted.Kernel = Parsed->Positional[0].str();
  if (Error E = checkKernelPattern(Wanted.Kernel))
    return std::move(E);
  if (Error E = checkOutputBefore(Options.Output, Parsed->Positional[1],
                                  Options.Files, Options.Sets.Build))
    return std::move(E);
  Expected<bool> LacksDevices = dropUnknownDevices(Options.Files);
  if (!LacksDevices)
    return LacksDevices.takeError();
  Expected<AssessedFile> Assessed = assessNamedFile(
      Parsed->Positional[1], Options.Files, Parsed->Rest, Options.Sets);
  if (!Assessed)
    return Assessed.takeError();
  const Report &R = Assessed->What;
  Report Matching;
  Matching.Tool = R.Tool;
  auto IsWanted = [&](const KernelReport &K) {
    return matchesKernel(Wanted, K.Facts);
  };
  copy_if(R.Kernels, std::back_inserter(Matching.Kernels), IsWanted);
  copy_if(R.Refused, std::back_inserter(Matching.Refused), IsWanted);
  if (Matching.Kernels.empty() && Matching.Refused.empty())
    return noSuchKernel(Wanted.Kernel, R);
  if (Error E = checkOutputAfter(Options.Output, R))
    return std::move(E);
  if (Error E = writeOutput(Options.Output, [&](raw_ostream &OS) {
        return write(Matching, Options, OS);
      }))
    return std::move(E);
  if (*LacksDevices)
    return StatusFailed;
  return Matching.Refused.empty() ? StatusGood : StatusFindings;
}
