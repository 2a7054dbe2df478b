//===- CaseRecord.cpp - How programs of measured kernels launch them ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseRecord.h"
#include "CaseLaunch.h"
#include "driver/RecordedSpec.h"
#include "driver/SeenInLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

std::string CaseRecord::keyOf(const TruthCase &C) {
  return C.Suite + "/" + C.Program + " " + C.ProgramArguments + " " +
         join(portableFlags(C.Flags, ""), " ");
}

CaseRecord::CaseRecord(ArrayRef<TruthCase> Cases, CaseSources &Sources,
                       KeptRecords Kept, const SourceOptions &Options,
                       const DeviceModel &Device, CaseRunOptions Run)
    : Sources(Sources), Kept(std::move(Kept)), Options(Options), Device(Device),
      How(Run) {
  for (const TruthCase &C : Cases) {
    RecordedLaunch &L = Programs[keyOf(C)].Wanted.emplace_back();
    L.Kernel = C.MangledName;
    L.Grid = C.Grid;
    L.Block = C.Block;
  }
}

static void linkAll(StringRef From, StringRef To) {
  std::error_code EC;
  for (sys::fs::directory_iterator I(From, EC), End; I != End && !EC;
       I.increment(EC)) {
    SmallString<256> Link(To);
    sys::path::append(Link, sys::path::filename(I->path()));
    if (!sys::fs::exists(Link))
      (void)sys::fs::create_link(I->path(), Link);
  }
}

/// Makes a folder in \p Around with links to all that is in \p Original, and in
/// \p Around links to all that is beside that: what a program writes in it
/// stays out of its sources. Returns its path.
static std::string makeShadow(StringRef Original, StringRef Around) {
  SmallString<256> Folder(Original), Inside(Around);
  sys::fs::make_absolute(Folder);
  sys::path::append(Inside, sys::path::filename(Folder));
  (void)sys::fs::create_directory(Inside);
  linkAll(sys::path::parent_path(Folder), Around);
  linkAll(Folder, Inside);
  return Inside.str().str();
}

/// Writes files of ones for those of \p Words that look like names of files and
/// are not in \p Folder: inputs that a suite does not bring. Returns their
/// names.
static std::vector<std::string> supplyInputs(ArrayRef<std::string> Words,
                                             StringRef Folder) {
  constexpr unsigned NumLines = 1 << 23;
  std::vector<std::string> Supplied;
  for (StringRef Word : Words) {
    SmallString<256> Path(Folder);
    sys::path::append(Path, Word);
    double Number = 0;
    if (Word.starts_with("-") || sys::path::extension(Word).size() < 2 ||
        !Word.getAsDouble(Number) || sys::path::has_parent_path(Word) ||
        sys::fs::exists(Path))
      continue;
    std::error_code EC;
    raw_fd_ostream Out(Path, EC);
    for (unsigned Line = 0; !EC && Line != NumLines; ++Line)
      Out << "1\n";
    Supplied.push_back(Word.str());
  }
  return Supplied;
}

Expected<HostRecord> CaseRecord::run(const TruthCase &C, const Program &P,
                                     StringRef MemoryFolder) {
  std::vector<KernelFacts> Kernels = Sources.kernels(C);
  std::vector<RecordedLaunch> Wanted = P.Wanted;
  for (RecordedLaunch &L : Wanted)
    for (const KernelFacts &Facts : Kernels)
      if (isSameKernel(L.Kernel, Facts.Name))
        L.Kernel = Facts.Name;
  HostSources Host;
  Host.Files = Sources.paths(C);
  Host.Spare = Sources.nearby(C);
  Host.LeavesOut = true;
  Host.Executes = How.Executes;
  Host.Options = Options;
  // The options refer to them.
  const std::vector<std::string> Flags = Sources.flags(C);
  append_range(Host.Options.ClangArguments, Flags);
  append_range(Host.Options.NvccArguments, Sources.nvccFlags(C));
  Expected<TemporaryFolder> Around = TemporaryFolder::create("gpuocc-run");
  if (!Around)
    return Around.takeError();
  const std::string Folder =
      makeShadow(sys::path::parent_path(Host.Files.front()), Around->path());
  HostRun Run;
  Run.Arguments = splitCommandLine(C.ProgramArguments);
  const std::vector<std::string> Supplied = supplyInputs(Run.Arguments, Folder);
  Run.Folder = Folder;
  Run.Limits.Seconds = How.LimitSeconds;
  Run.Wanted = std::move(Wanted);
  // Sizes may be right where inputs are not; what arrays hold is not.
  if (Supplied.empty())
    Run.MemoryFolder = MemoryFolder.str();
  Expected<HostRecord> Record = recordLaunches(Host, Run, Kernels, Device);
  if (Record && !Supplied.empty())
    Record->Notes.push_back("the sources lack the inputs " +
                            join(Supplied, ", ") +
                            ": sizes are those of files of ones, and what "
                            "arrays hold is unknown");
  return Record;
}

static bool contradicts(const LaunchSpec &Spec, const KernelFacts &Facts,
                        const TruthCase &C) {
  return any_of(argumentsOfVariant(C, Facts), [&](const auto &Said) {
    auto Given = Spec.Arguments.find(utostr(Said.first));
    return Given != Spec.Arguments.end() &&
           Given->second.Integer != Said.second;
  });
}

std::optional<RunCase> CaseRecord::find(const TruthCase &C,
                                        const KernelFacts &Facts) {
  Program &P = Programs[keyOf(C)];
  if (!P.WasRun) {
    P.WasRun = true;
    // Programs are ended when all that is wanted was launched.
    if (Expected<HostRecord> Record =
            Kept.find((How.Executes ? "executed " : "") + keyOf(C) + "\n" +
                          textOf(P.Wanted),
                      [&](StringRef Memory) { return run(C, P, Memory); })) {
      P.Record = std::move(*Record);
      P.Note = join(P.Record.Notes, "; ");
    } else {
      P.Note = toString(Record.takeError());
    }
  }
  std::optional<RunCase> Found;
  for (const RecordedLaunch &L : P.Record.Launches) {
    if (L.Kernel != Facts.Name || !(L.Grid == C.Grid) || !(L.Block == C.Block))
      continue;
    LaunchSpec Spec = specOfRecord(L, Facts);
    if (contradicts(Spec, Facts, C))
      continue;
    if (!How.Executes)
      return RunCase{std::move(Spec)};
    auto Seen = seenIn(L, Facts);
    // The program was ended meanwhile.
    if (!Seen && !L.SeenFile.empty() && Found)
      break;
    Found = RunCase{std::move(Spec), Seen || L.SeenFile.empty(),
                    std::move(Seen), turnsIn(L)};
  }
  return Found;
}

std::map<std::string, std::string> CaseRecord::notes() const {
  std::map<std::string, std::string> Notes;
  for (const auto &[Key, P] : Programs)
    if (!P.Note.empty())
      Notes[Key] = P.Note;
  return Notes;
}
