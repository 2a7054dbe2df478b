//===- AnalyzeCommand.cpp - gpu-occupancy analyze -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssessFile.h"
#include "Commands.h"
#include "TritonCache.h"
#include "driver/Finish.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/ReportView.h"
#include "gpuocc/Views/WriteDevices.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Usage =
    "usage: gpu-occupancy analyze FILE... [options] [-- clang arguments]\n"
    "\n"
    "Says for each kernel of CUDA sources (.cu), LLVM modules (.ll, .bc) and "
    "PTX\n"
    "(.ptx) what limits it, how many warps it needs and has, and what each "
    "line\n"
    "costs. Of a folder, such as one of Triton's cache, all PTX is read.\n";

static std::vector<StringRef> formats() {
  std::vector<StringRef> Names;
  for (const ReportView &View : reportViews())
    Names.push_back(View.Name);
  return Names;
}

namespace {

struct AnalyzeOptions {
  AssessFileOptions Files;
  std::string Format = "text";
  std::string Output = "-";
  ViewOptions View;

  std::vector<OptionRow> rows() {
    std::vector<OptionRow> Rows = Files.rows();
    Rows.push_back({"--format", "FORM",
                    "text, json, yaml, sarif, github or markdown (text)",
                    storeWord(Format, formats())});
    Rows.push_back({"-o", "FILE", "write the report there", store(Output)});
    Rows.push_back({"--max-findings", "N",
                    "findings shown per kernel in text; 0 shows all",
                    storeNumber(View.MaxFindings)});
    Rows.push_back({"--with-facts", "",
                    "JSON that can be read back: with everything known of the "
                    "kernels",
                    [this](StringRef) {
                      View.WithData = true;
                      return Error::success();
                    }});
    return Rows;
  }

  Error write(const Report &R, raw_ostream &OS) const {
    // Several devices are for comparing; the paragraphs of each would bury it.
    if (Format == "text" && !Files.Devices.empty())
      return writeDeviceTable(R, OS);
    return findReportView(Format)->Write(R, View, OS);
  }
};

} // namespace

/// Prints why \p File was not analyzed, in one line that names it.
static void printFailure(StringRef File, bool IsOneOfSeveral, Error E) {
  std::string Why = toString(std::move(E));
  const bool NamesFile = StringRef(Why).contains(File);
  printError(ProgramName, createStringError(IsOneOfSeveral && !NamesFile
                                                ? "'" + File + "': " + Why
                                                : Twine(Why)));
}

Expected<ExitStatus> gpuocc::runAnalyze(ArrayRef<StringRef> Arguments) {
  AnalyzeOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, Usage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.empty())
    return createStringError("analyze needs a file; see 'gpu-occupancy analyze "
                             "--help'");
  Options.Files.Source.ClangArguments = Parsed->Rest;
  SmallString<256> Here;
  if (!sys::fs::current_path(Here))
    Options.View.BaseDirectory = Here.str();
  if (Error E = checkOutput(Options.Output, Parsed->Positional))
    return std::move(E);
  Expected<std::vector<std::string>> Files =
      withPtxOfFolders(Parsed->Positional);
  if (!Files)
    return Files.takeError();
  if (Error E = checkForAllFiles(Options.Files))
    return std::move(E);
  ExitStatus Status = StatusGood;
  Report All;
  All.Tool = toolVersion();
  UnmatchedLaunches Unmatched;
  for (StringRef File : *Files) {
    Expected<Report> R = assessFile(File, Options.Files, &Unmatched);
    if (!R) {
      printFailure(File, Files->size() > 1, R.takeError());
      Status = StatusFailed;
      continue;
    }
    for (KernelReport &K : R->Kernels)
      All.Kernels.push_back(std::move(K));
  }
  for (const std::string &Note : Unmatched.notes())
    errs() << "note: " << printable(Note) << '\n';
  const bool NothingDone = Status == StatusFailed && All.Kernels.empty();
  if (NothingDone)
    return Status;
  if (Error E = writeOutput(Options.Output, [&](raw_ostream &OS) {
        return Options.write(All, OS);
      }))
    return std::move(E);
  return Status;
}
