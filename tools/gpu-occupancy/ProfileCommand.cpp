//===- ProfileCommand.cpp - gpu-occupancy profile -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "ProfileReport.h"
#include "RunProgram.h"
#include "driver/PriceLaunches.h"
#include "gpuocc/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
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
  RunProgramOptions Program;
  std::string Format = "text";
  std::string Output = "-";
  /// A regular expression; empty: all.
  std::string Launches;
  unsigned BudgetSeconds = 60;

  std::vector<OptionRow> rows() {
    std::vector<OptionRow> Rows = {
        {"--launches", "KERNEL",
         "only launches of kernels whose name this regular expression matches",
         store(Launches)},
        {"--budget", "SECONDS",
         "for predictions, once the program has run (default: 60)",
         storeNumber(BudgetSeconds)},
        {"--format", "text|json", "form of the report (default: text)",
         storeWord(Format, {"text", "json"})},
        {"--ptxas", "auto|off|PATH", "assembler that is asked for registers",
         store(Program.Source.Ptxas)},
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
  Expected<TemporaryFolder> Memory = TemporaryFolder::create("gpuocc-memory");
  if (!Memory)
    return Memory.takeError();
  Options.Program.Executes = true;
  Options.Program.Run.MemoryFolder = Memory->path().str();
  Options.Program.Run.ShowsOutput = true;
  Expected<RanProgram> Ran =
      runProgram(Options.Program, Parsed->Positional, Parsed->Rest);
  if (!Ran)
    return Ran.takeError();
  HostRecord &Record = Ran->Record;
  keepLaunches(Record, Ran->Kernels, Options.Launches);
  if (Record.Launches.empty())
    return createStringError("the program launched no kernel that --launches "
                             "matches");
  ProfileReport R;
  R.Device = Ran->Device.Name;
  R.Groups = priceLaunches(Ran->Kernels, Record.Launches,
                           Record.Activity.Launches, Ran->Device,
                           std::chrono::steady_clock::now() +
                               std::chrono::seconds(Options.BudgetSeconds));
  R.Others = hostTimes(Record.Activity, Ran->Device);
  if (Error E = write(Options, R))
    return std::move(E);
  return Record.EndedWell ? StatusGood : StatusFailed;
}
