//===- ProfileCommand.cpp - gpu-occupancy profile -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ProfileReport.h"
#include "ProfileTrace.h"
#include "RunProgram.h"
#include "driver/ChooseDevice.h"
#include "driver/PriceLaunches.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral ProfileUsage =
    "usage: gpu-occupancy profile FILE... [options] [-- clang arguments]\n"
    "\n"
    "Builds a CUDA program and runs it without a GPU, its kernels too, on the "
    "CPU.\n"
    "Then prints what each kernel would take on a device.\n"
    "\n"
    "The program is run: it does on this machine whatever it is written to do, "
    "as\n"
    "you, within the limits below. Profile only programs that you would run. "
    "It\n"
    "writes in a temporary folder of its own, in --folder and --writable; "
    "nothing\n"
    "of it runs on when it has ended.\n";

namespace {

struct ProfileOptions {
  RunProgramOptions Program;
  std::string Format = "text";
  std::string Output = "-";
  /// Those that the program's time is predicted for as well.
  std::string Devices;
  /// A regular expression; empty: all.
  std::string Launches;
  unsigned BudgetSeconds = 60;

  std::vector<OptionRow> rows() {
    std::vector<OptionRow> Rows = {
        {"--launches", "KERNEL",
         "only launches of kernels whose name this regular expression matches",
         store(Launches)},
        {"--devices", "NAME,...",
         "further devices to predict the program's time for", store(Devices)},
        {"--budget", "SECONDS",
         "for predictions, once the program has run (default: 60)",
         storeNumber(BudgetSeconds)},
        {"--format", "text|json|trace",
         "form of the report; a trace is a timeline that Perfetto opens "
         "(default: text)",
         storeWord(Format, {"text", "json", "trace"})},
        {"--ptxas", "auto|off|PATH", "assembler that is asked for registers",
         store(Program.Source.Ptxas)},
        {"--executed", "",
         "count what warps execute, too, and hold the predicted counts against "
         "that (in JSON); slow",
         [this](StringRef) {
           Program.CountsExecuted = true;
           return Error::success();
         }},
        {"-o", "FILE", "write the report there", store(Output)},
    };
    append_range(Rows, Program.rows());
    return Rows;
  }
};

} // namespace

/// Finds what is wrong with the options before anything is compiled.
static Error check(const ProfileOptions &Options, ArrayRef<StringRef> Files) {
  if (Error E = checkProgramFiles(Files, "profile"))
    return E;
  for (StringRef Name : split(Options.Devices, ','))
    if (Expected<DeviceModel> Device =
            Name.empty() ? DeviceModel() : loadDevice(Name);
        !Device)
      return Device.takeError();
  std::string Wrong;
  if (!Options.Launches.empty() && !Regex(Options.Launches).isValid(Wrong))
    return createStringError("--launches: '" + Options.Launches +
                             "': " + Wrong);
  return checkOutput(Options.Output, Files);
}

/// Takes launches of other kernels than those of \p Pattern out of \p Record.
/// The places that the others had.
static std::vector<size_t> keepLaunches(HostRecord &Record,
                                        ArrayRef<KernelFacts> Kernels,
                                        StringRef Pattern) {
  std::vector<size_t> Numbers;
  const Regex Wanted(Pattern.empty() ? "." : Pattern);
  std::vector<RecordedLaunch> Kept;
  std::vector<uint64_t> Calls;
  for (const auto &[I, L] : enumerate(Record.Launches)) {
    auto Facts = find_if(Kernels, [&, &Name = L.Kernel](const KernelFacts &K) {
      return K.Name == Name;
    });
    if (!Wanted.match(L.Kernel) &&
        (Facts == Kernels.end() || !Wanted.match(Facts->Demangled)))
      continue;
    Calls.push_back(
        I < Record.Activity.Launches.size() ? Record.Activity.Launches[I] : 1);
    Kept.push_back(std::move(L));
    Numbers.push_back(I);
  }
  Record.Launches = std::move(Kept);
  Record.Activity.Launches = std::move(Calls);
  return Numbers;
}

/// The time of the launches of \p Ran, which ran with the options \p Program,
/// on the device \p Name.
static Expected<OtherDevice> timeOn(StringRef Name, const RanProgram &Ran,
                                    const RunProgramOptions &Program,
                                    ArrayRef<StringRef> Files,
                                    ArrayRef<StringRef> CompilerWords,
                                    unsigned BudgetSeconds) {
  Expected<DeviceModel> Device = loadDevice(Name);
  if (!Device)
    return Device.takeError();
  std::vector<KernelFacts> Own;
  if (codeArchitecture(Device->Architecture) !=
      codeArchitecture(Ran.Device.Architecture)) {
    if (Error E =
            readProgramKernels(*Device, Files, CompilerWords, Program.Source)
                .moveInto(Own))
      return std::move(E);
  }
  const HostRecord &Record = Ran.Record;
  ProfileReport R;
  R.Groups = priceLaunches(Own.empty() ? ArrayRef(Ran.Kernels) : ArrayRef(Own),
                           Record.Launches, Record.Activity.Launches, *Device,
                           std::chrono::steady_clock::now() +
                               std::chrono::seconds(BudgetSeconds));
  R.Others = hostTimes(Record.Activity, *Device);
  OtherDevice Out = {Device->Name, R.kernelNs(), R.totalNs(), 0};
  for (const LaunchGroup &G : R.Groups)
    Out.UnpricedCalls += G.TotalNs ? 0 : G.Calls;
  return Out;
}

static Error write(const ProfileOptions &Options, const ProfileReport &R,
                   const RanProgram &Ran) {
  return writeOutput(Options.Output, [&](raw_ostream &OS) -> Error {
    if (Options.Format == "json")
      return writeProfileJSON(R, OS);
    if (Options.Format == "trace")
      writeProfileTrace(R, Ran.Record.Events, Ran.Device, OS);
    else
      writeProfileText(R, OS);
    return Error::success();
  });
}

Expected<ExitStatus> gpuocc::runProfile(ArrayRef<StringRef> Arguments) {
  ProfileOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, ProfileUsage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Error E = check(Options, Parsed->Positional))
    return std::move(E);
  Expected<TemporaryFolder> Memory = TemporaryFolder::create("gpuocc-memory");
  if (!Memory)
    return Memory.takeError();
  Options.Program.Executes = true;
  Options.Program.Run.MemoryFolder = Memory->path().str();
  Options.Program.Run.ShowsOutput = true;
  Options.Program.Run.KeepsEvents = true;
  Expected<RanProgram> Ran =
      runProgram(Options.Program, Parsed->Positional, Parsed->Rest);
  if (!Ran)
    return Ran.takeError();
  HostRecord &Record = Ran->Record;
  ProfileReport R;
  R.Numbers = keepLaunches(Record, Ran->Kernels, Options.Launches);
  if (Record.Launches.empty())
    return createStringError("the program launched no kernel that --launches "
                             "matches");
  R.Device = Ran->Device.Name;
  R.Groups = priceLaunches(Ran->Kernels, Record.Launches,
                           Record.Activity.Launches, Ran->Device,
                           std::chrono::steady_clock::now() +
                               std::chrono::seconds(Options.BudgetSeconds));
  R.Others = hostTimes(Record.Activity, Ran->Device);
  R.ElapsedNs = elapsedTimes(R, Record.Events, Ran->Device);
  for (StringRef Name : split(Options.Devices, ',')) {
    if (Name.empty())
      continue;
    Expected<OtherDevice> Other =
        timeOn(Name, *Ran, Options.Program, Parsed->Positional, Parsed->Rest,
               Options.BudgetSeconds);
    if (!Other)
      return Other.takeError();
    R.OtherDevices.push_back(std::move(*Other));
  }
  if (Error E = write(Options, R, *Ran))
    return std::move(E);
  return Record.EndedWell ? StatusGood : StatusFailed;
}
