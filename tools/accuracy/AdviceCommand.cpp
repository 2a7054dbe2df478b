//===- AdviceCommand.cpp - gpu-occupancy-accuracy advice ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AdviceOutcome.h"
#include "Commands.h"
#include "RecordTable.h"
#include "driver/Registers.h"
#include "gpuocc/Device/ArchLimits.h"
#include "sources/AssessFile.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral AdviceUsage =
    "usage: gpu-occupancy-accuracy advice [options]\n"
    "\n"
    "What LaunchBoundsAdvice recommends beside what a GPU makes of it: kernels "
    "that were\n"
    "measured under register limits and in blocks of other sizes. Where there "
    "is no\n"
    "ptxas the recorded registers and spills are used.\n";

static constexpr StringRef AdviceColumns[] = {
    "kernel",     "threads",           "register_limit",
    "registers",  "spill_store_bytes", "spill_load_bytes",
    "measured_ns"};

namespace {

struct AdviceOptions {
  std::string Folder = GPUOCC_SOURCE_DIR "/test/golden/advice";
  std::string Format = "text";
  AssessFileOptions Files;

  std::vector<OptionRow> rows() {
    return {
        {"--data", "FOLDER", "kernels.cu, and the table DEVICE.csv",
         store(Folder)},
        {"--device", "NAME", "device of the measurements",
         store(Files.Session.Device)},
        {"--clang", "PROGRAM", "compiler", store(Files.Source.Clang)},
        {"--ptxas", "auto|off|FILE", "assembler that is asked for registers",
         store(Files.Source.Ptxas)},
        {"--format", "text|json", "form of the table",
         storeWord(Format, {"text", "json"})},
    };
  }
};

/// One measured way of a kernel.
struct AdviceRecord {
  MeasuredVariant Way;
  ResourceUse Resources;
};

/// By kernel; its own variant first.
using AdviceRecords = std::map<std::string, std::vector<AdviceRecord>>;

} // namespace

static Expected<uint64_t> wholeNumber(const RecordTable &T, size_t Row,
                                      StringRef Column) {
  uint64_t Value = 0;
  if (T.text(Row, Column).getAsInteger(10, Value))
    return createStringError("'" + T.FileName + "': row " + Twine(Row + 1) +
                             ": '" + Column + "' should be a number, not '" +
                             T.text(Row, Column) + "'");
  return Value;
}

static Expected<AdviceRecord> readRecord(const RecordTable &T, size_t Row) {
  AdviceRecord R;
  R.Resources.IsEstimate = false;
  R.Resources.Source = "recorded";
  uint64_t Threads = 0, Limit = 0, Registers = 0;
  for (auto [Column, Slot] :
       std::initializer_list<std::pair<StringRef, uint64_t *>>{
           {"threads", &Threads},
           {"register_limit", &Limit},
           {"registers", &Registers},
           {"spill_store_bytes", &R.Resources.SpillStoreBytes},
           {"spill_load_bytes", &R.Resources.SpillLoadBytes}}) {
    Expected<uint64_t> Value = wholeNumber(T, Row, Column);
    if (!Value)
      return Value.takeError();
    *Slot = *Value;
  }
  Expected<double> Ns = T.number(Row, "measured_ns");
  if (!Ns)
    return Ns.takeError();
  R.Resources.RegisterLimit = unsigned(Limit);
  R.Resources.RegistersPerThread = unsigned(Registers);
  R.Way = {{unsigned(Threads), unsigned(Registers)}, *Ns};
  return R;
}

static Expected<AdviceRecords> readRecords(StringRef Path) {
  Expected<RecordTable> Table = readRecordTable(Path, AdviceColumns);
  if (!Table)
    return Table.takeError();
  AdviceRecords Records;
  for (size_t Row = 0; Row != Table->Rows.size(); ++Row) {
    Expected<AdviceRecord> R = readRecord(*Table, Row);
    if (!R)
      return R.takeError();
    Records[Table->text(Row, "kernel").str()].push_back(std::move(*R));
  }
  return Records;
}

/// Gives \p K, whose registers are an estimate, what the assembler made of it
/// when \p Records were measured.
static void useRecorded(KernelFacts &K, ArrayRef<AdviceRecord> Records,
                        ArrayRef<unsigned> Limits) {
  K.Resources = Records.front().Resources;
  for (unsigned Limit : Limits)
    for (const AdviceRecord &R : Records)
      if (R.Resources.RegisterLimit == Limit)
        K.LimitedResources.push_back(R.Resources);
}

/// Reads and assesses the kernels; those without an assembler's registers take
/// the recorded ones.
static Expected<SessionResult> assessKernels(StringRef File,
                                             const AdviceRecords &Records,
                                             const AssessFileOptions &Options) {
  Expected<gpuocc::Session> Checked =
      gpuocc::Session::create(Options.Session, File);
  if (!Checked)
    return Checked.takeError();
  SourceOptions Source = Options.Source;
  Expected<std::string> Architecture = Checked->architecture();
  if (!Architecture)
    return Architecture.takeError();
  Source.Architecture = *Architecture;
  Expected<const ArchLimits &> Limits = archLimits(Source.Architecture);
  if (!Limits)
    return Limits.takeError();
  Expected<FactsFile> Facts = readSource(File, Source);
  if (!Facts)
    return Facts.takeError();
  for (KernelFacts &K : Facts->Kernels)
    if (auto Of = Records.find(K.Name);
        Of != Records.end() && K.Resources.IsEstimate)
      useRecorded(K, Of->second, registerLimits(*Limits));
  return Checked->assessAll(std::move(Facts->Kernels), Facts->Launches);
}

Error gpuocc::runAdvice(ArrayRef<StringRef> Arguments) {
  AdviceOptions Options;
  Options.Files.Session.Device = "nvidia-h200";
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, AdviceUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (!Parsed->Positional.empty())
    return createStringError("advice takes no '" + Parsed->Positional.front() +
                             "'");
  Options.Files.Session.Advise = Options.Files.Source.Advise = true;
  Options.Files.Source.ClangArguments = Parsed->Rest;
  Expected<AdviceRecords> Records =
      readRecords(Options.Folder + "/" + Options.Files.Session.Device + ".csv");
  if (!Records)
    return Records.takeError();
  Expected<SessionResult> Result =
      assessKernels(Options.Folder + "/kernels.cu", *Records, Options.Files);
  if (!Result)
    return Result.takeError();
  std::vector<AdviceOutcome> Outcomes;
  for (const KernelReport &K : Result->What.Kernels) {
    auto Of = Records->find(K.Facts.Name);
    if (Of == Records->end())
      continue;
    std::vector<MeasuredVariant> Ways;
    for (const AdviceRecord &R : Of->second)
      Ways.push_back(R.Way);
    Outcomes.push_back(judgeAdvice(K.Facts.Name, advisedVariant(K), Ways));
  }
  if (Options.Format == "text") {
    printAdvice(Outcomes, outs());
  } else {
    json::OStream J(outs(), /*IndentSize=*/1);
    writeAdvice(Outcomes, J);
    outs() << '\n';
  }
  return Error::success();
}
