//===- ProfileCommand.cpp - gpu-occupancy profile -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ProfileReport.h"
#include "ProgramLimitOptions.h"
#include "driver/Arguments.h"
#include "driver/ChooseDevice.h"
#include "driver/PriceLaunches.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "sources/HostProgram.h"
#include "sources/ReportCache.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Usage =
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
  SourceOptions Source;
  std::string Device = "nvidia-h200";
  std::string Arguments;
  std::string Format = "text";
  std::string Output = "-";
  /// A regular expression; empty: all.
  std::string Launches;
  unsigned BudgetSeconds = 60;
  ProgramLimitOptions Limits;
  HostRun Run;

  ProfileOptions() {
    Source.BuiltBy = "nvcc";
    Source.Code = sys::Process::GetEnv("GPU_OCCUPANCY_CODE").value_or("auto");
    Source.CacheFolder = ReportCache::defaultFolder();
  }

  std::vector<OptionRow> rows() {
    std::vector<OptionRow> Rows = {
        {"--arguments", "TEXT",
         "command line of the program, quoted as in a shell", store(Arguments)},
        {"--device", "NAME", "device that the program believes to run on",
         store(Device)},
        {"--launches", "KERNEL",
         "only launches of kernels whose name this regular expression matches",
         store(Launches)},
        {"--budget", "SECONDS",
         "for predictions, once the program has run (default: 60)",
         storeNumber(BudgetSeconds)},
        {"--format", "text|json", "form of the report (default: text)",
         storeWord(Format, {"text", "json"})},
        {"--clang", "FILE", "compiler for CUDA sources", store(Source.Clang)},
        {"--built-by", "nvcc|clang",
         "compiler of the program, whose reading of CUDA sources holds",
         storeWord(Source.BuiltBy, {"nvcc", "clang"})},
        {"--code", "auto|nvcc|clang",
         "compiler whose code is priced; auto: nvcc's if that builds the "
         "program",
         storeWord(Source.Code, {"auto", "nvcc", "clang"})},
        {"--ptxas", "auto|off|PATH", "assembler that is asked for registers",
         store(Source.Ptxas)},
        {"-o", "FILE", "write the report there", store(Output)},
    };
    append_range(Rows, Limits.rows(Run));
    return Rows;
  }
};

} // namespace

/// Finds what is wrong with the options before anything is compiled.
static Error check(const ProfileOptions &Options, ArrayRef<StringRef> Files) {
  if (none_of(Files, [](StringRef File) {
        return sys::path::extension(File) == ".cu";
      }))
    return createStringError(
        "profile needs a CUDA source (.cu) and all other sources of the "
        "program; see 'gpu-occupancy profile --help'");
  std::string Wrong;
  if (!Options.Launches.empty() && !Regex(Options.Launches).isValid(Wrong))
    return createStringError("--launches: '" + Options.Launches +
                             "': " + Wrong);
  return checkOutput(Options.Output, Files);
}

/// Takes launches of other kernels than those of \p Pattern out of \p Record.
static void keepLaunches(HostRecord &Record, ArrayRef<KernelFacts> Kernels,
                         StringRef Pattern) {
  if (Pattern.empty())
    return;
  const Regex Wanted(Pattern);
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
  }
  Record.Launches = std::move(Kept);
  Record.Activity.Launches = std::move(Calls);
}

static Error write(const ProfileOptions &Options, const ProfileReport &R) {
  return writeOutput(Options.Output, [&](raw_ostream &OS) -> Error {
    if (Options.Format == "json")
      return writeProfileJSON(R, OS);
    writeProfileText(R, OS);
    return Error::success();
  });
}

Expected<ExitStatus> gpuocc::runProfile(ArrayRef<StringRef> Arguments) {
  ProfileOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, Usage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Error E = check(Options, Parsed->Positional))
    return std::move(E);
  if (Error E = Options.Limits.apply(Options.Run))
    return std::move(E);
  HostSources Sources;
  for (StringRef File : Parsed->Positional)
    Sources.Files.push_back(File.str());
  Expected<DeviceModel> Device = loadDevice(Options.Device);
  if (!Device)
    return Device.takeError();
  Options.Source.Architecture = codeArchitecture(Device->Architecture);
  Options.Source.ClangArguments = Parsed->Rest;
  Expected<std::vector<KernelFacts>> Kernels =
      readKernels(Sources.Files, Options.Source);
  if (!Kernels)
    return Kernels.takeError();
  Expected<TemporaryFolder> Memory = TemporaryFolder::create("gpuocc-memory");
  if (!Memory)
    return Memory.takeError();
  Options.Run.MemoryFolder = Memory->path().str();
  Options.Run.Arguments = splitCommandLine(Options.Arguments);
  Options.Run.ShowsOutput = true;
  Sources.Options = Options.Source;
  Sources.Executes = true;
  Expected<HostRecord> Record =
      recordLaunches(Sources, Options.Run, *Kernels, *Device);
  if (!Record)
    return Record.takeError();
  for (const std::string &Note : Record->Notes)
    errs() << "note: " << printable(Note) << '\n';
  keepLaunches(*Record, *Kernels, Options.Launches);
  if (Record->Launches.empty())
    return createStringError("the program launched no kernel");
  ProfileReport R;
  R.Device = Device->Name;
  R.Groups = priceLaunches(*Kernels, Record->Launches,
                           Record->Activity.Launches, *Device,
                           std::chrono::steady_clock::now() +
                               std::chrono::seconds(Options.BudgetSeconds));
  R.Others = hostTimes(Record->Activity, *Device);
  if (Error E = write(Options, R))
    return std::move(E);
  return Record->EndedWell ? StatusGood : StatusFailed;
}
