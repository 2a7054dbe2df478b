//===- RecordCommand.cpp - gpu-occupancy record ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "HostReport.h"
#include "RunProgram.h"
#include "driver/Arguments.h"
#include "driver/MergeRecord.h"
#include "driver/RecordedSpec.h"
#include "driver/Session.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/RuleNames.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral RecordUsage =
    "usage: gpu-occupancy record FILE... [options] [-- clang arguments]\n"
    "\n"
    "Builds the host code of the sources of a program and runs it without a "
    "GPU:\n"
    "kernels do nothing, and their launches with grids, blocks and arguments "
    "are\n"
    "written as a configuration (.gpu-occupancy).\n"
    "\n"
    "The program is run: its host code does on this machine whatever it is "
    "written\n"
    "to do, as you, within the limits below. Record only programs that you "
    "would\n"
    "run. It writes in a temporary folder of its own, in --folder and "
    "--writable;\n"
    "nothing of it runs on when it has ended.\n";

namespace {

struct RecordOptions {
  RunProgramOptions Program;
  std::string Output = "-";
  bool Force = false;
  /// Where the times of kernels and of the host go; empty: nowhere.
  std::string HostOutput;
  std::string HostFormat = "text";
  unsigned MostArgumentSets = 1000;

  std::vector<OptionRow> rows() {
    std::vector<OptionRow> Rows = {
        {"--memory", "DIR",
         "write there what arrays hold that decide what kernels do",
         store(Program.Run.MemoryFolder)},
        {"--host", "FILE", "write there what copies, launches and kernels take",
         store(HostOutput)},
        {"--host-format", "text|json", "form of what --host writes (text)",
         store(HostFormat)},
        {"--argument-sets", "N",
         "kept of launches of one kernel and shape (default: 1000)",
         storeNumber(MostArgumentSets)},
        {"-o", "FILE",
         "write the configuration there; launches are put into one that exists",
         store(Output)},
        {"--force", "", "replace a configuration that exists",
         [this](StringRef) {
           Force = true;
           return Error::success();
         }},
    };
    append_range(Rows, Program.rows());
    return Rows;
  }
};

} // namespace

namespace {

/// The text of a configuration, entry by entry.
class Entries {
public:
  /// Of launches that differ in arguments only, \p MostSets are kept.
  explicit Entries(unsigned MostSets) : MostSets(MostSets) {}

  void add(const RecordedLaunch &L, const KernelFacts &Facts) {
    const LaunchSpec Spec = specOfRecord(L, Facts);
    LaunchSpec Same = Spec;
    Same.ArrayBytes.clear();
    LaunchSpec Shape = Same;
    Shape.Arguments.clear();
    Shape.StructBytes.clear();
    Shape.Memory.clear();
    // Launches that differ in their addresses only, and in what is behind
    // these, are the same.
    if (!Seen.insert(textOf(Same)).second)
      return;
    if (++NumSets[textOf(Shape)] > MostSets)
      ++NumLeftOut;
    else
      Text += "  # " + printable(Facts.Demangled) + "\n" + textOf(Spec);
  }

  std::string Text;
  unsigned NumLeftOut = 0;

private:
  static std::string textOf(const LaunchSpec &Spec) {
    std::string Text;
    raw_string_ostream OS(Text);
    writeLaunch(Spec, OS);
    return Text;
  }

  unsigned MostSets;
  StringSet<> Seen;
  StringMap<unsigned> NumSets;
};

} // namespace

/// The launches of \p Record, an entry for each different one. \p Unmatched
/// takes the kernels that are not among \p Kernels, \p NumLeftOut how many
/// argument sets are left out.
static std::string entriesOf(const HostRecord &Record,
                             ArrayRef<KernelFacts> Kernels, unsigned MostSets,
                             std::vector<std::string> &Unmatched,
                             unsigned &NumLeftOut) {
  Entries Out(MostSets);
  StringMap<unsigned> Unknown;
  for (const RecordedLaunch &L : Record.Launches) {
    auto Facts = find_if(Kernels, [&](const KernelFacts &K) {
      return comparableName(K.Name) == comparableName(L.Kernel);
    });
    if (Facts == Kernels.end())
      ++Unknown[L.Kernel];
    else
      Out.add(L, *Facts);
  }
  NumLeftOut = Out.NumLeftOut;
  for (const auto &Entry : Unknown)
    Unmatched.push_back((demangle(Entry.getKey()) + " (" +
                         formatCount(Entry.second, "recorded call") + ")"));
  llvm::sort(Unmatched);
  return std::move(Out.Text);
}

/// What becomes of the file \p Options write to when \p Entries are recorded.
static Expected<std::string> newText(const RecordOptions &Options,
                                     StringRef Entries) {
  const std::string Writer = toolVersion() + " record";
  sys::fs::file_status Status;
  const bool IsFile = Options.Output != "-" &&
                      !sys::fs::status(Options.Output, Status) &&
                      sys::fs::is_regular_file(Status);
  if (!IsFile || Options.Force)
    return recordedConfig(Entries, Writer);
  auto Existing = MemoryBuffer::getFile(Options.Output);
  if (!Existing)
    return createStringError("cannot read '" + Options.Output +
                             "': " + Existing.getError().message());
  Expected<std::string> Merged = mergeRecorded(
      (*Existing)->getBuffer(), Options.Output, Entries, Writer, ruleNames());
  if (!Merged)
    return createStringError(toString(Merged.takeError()) +
                             "; --force replaces the file");
  return Merged;
}

/// Finds what is wrong with the options before anything is compiled.
static Error check(const RecordOptions &Options, ArrayRef<StringRef> Files) {
  if (Error E = checkProgramFiles(Files, "record"))
    return E;
  if (Options.HostFormat != "text" && Options.HostFormat != "json")
    return createStringError("--host-format takes text or json, not '" +
                             Options.HostFormat + "'");
  std::vector<StringRef> Read = Files.vec();
  if (isDevicePath(Options.Program.Device))
    Read.push_back(Options.Program.Device);
  for (const std::string &Output : {Options.Output, Options.HostOutput})
    if (Error E = Output.empty() ? Error::success() : checkOutput(Output, Read))
      return E;
  return newText(Options, "  - kernel: any\n").takeError();
}

/// Writes what the run in \p Record takes, with the kernels as \p Config has
/// them launched.
static Error reportHost(const RecordOptions &Options, const HostRecord &Record,
                        StringRef Config, std::vector<KernelFacts> Kernels,
                        const DeviceModel &Device) {
  Expected<TemporaryFile> File = TemporaryFile::create("gpuocc", "yaml");
  if (!File)
    return File.takeError();
  if (Error E = writeOutput(File->path(), Config))
    return E;
  SessionOptions Predicting;
  Predicting.Device = Options.Program.Device;
  Predicting.ConfigPath = File->path().str();
  Expected<Session> Opened = Session::create(Predicting, "");
  if (!Opened)
    return Opened.takeError();
  size_t Instructions = 0;
  for (const KernelFacts &Facts : Kernels)
    Instructions += Facts.Operations.size();
  Expected<SessionResult> Predicted = Opened->assessAll(std::move(Kernels), {});
  if (!Predicted)
    return Predicted.takeError();
  HostReport Times{Device.Name, kernelTime(Record, Predicted->What),
                   hostTimes(Record.Activity, Device),
                   Device.get(Quantity::JitPerInstruction)};
  if (Times.CompileNs)
    Times.CompileNs = *Times.CompileNs * double(Instructions);
  std::string Text;
  raw_string_ostream OS(Text);
  if (Options.HostFormat == "json")
    writeHostJSON(Times, OS);
  else
    writeHostText(Times, OS);
  return writeOutput(Options.HostOutput, Text);
}

Expected<ExitStatus> gpuocc::runRecord(ArrayRef<StringRef> Arguments) {
  RecordOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, RecordUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Error E = check(Options, Parsed->Positional))
    return std::move(E);
  if (StringRef Folder = Options.Program.Run.MemoryFolder; !Folder.empty())
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return createFileError(Folder, EC);
  Expected<RanProgram> Ran =
      runProgram(Options.Program, Parsed->Positional, Parsed->Rest);
  if (!Ran)
    return Ran.takeError();
  HostRecord &Record = Ran->Record;
  std::vector<std::string> Unmatched;
  unsigned NumLeftOut = 0;
  const std::string Entries = entriesOf(
      Record, Ran->Kernels, Options.MostArgumentSets, Unmatched, NumLeftOut);
  if (NumLeftOut != 0)
    errs() << "note: " << formatCount(NumLeftOut, "argument set")
           << " of a kernel and shape " << (NumLeftOut == 1 ? "is" : "are")
           << " left out; --argument-sets keeps more\n";
  for (const std::string &Kernel : Unmatched)
    errs() << "warning: no given source defines the kernel "
           << printable(Kernel) << "; its launches are not recorded\n";
  Expected<std::string> Text = newText(Options, Entries);
  if (!Text)
    return Text.takeError();
  if (Error E = writeOutput(Options.Output, *Text))
    return std::move(E);
  if (!Options.HostOutput.empty())
    if (Error E = reportHost(Options, Record,
                             recordedConfig(Entries, toolVersion() + " record"),
                             std::move(Ran->Kernels), Ran->Device))
      return std::move(E);
  return Unmatched.empty() ? StatusGood : StatusFailed;
}
