//===- CompareWithCommit.cpp - Both sides of a change ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CompareWithCommit.h"
#include "IncludeScan.h"
#include "TreeOfCommit.h"
#include "gpuocc/Config/Config.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

static void renameFiles(ReportSummary &Summary,
                        function_ref<std::string(StringRef)> NewName) {
  for (KernelSummary &K : Summary.Kernels) {
    if (!K.File.empty())
      K.File = NewName(K.File);
    for (FindingSummary &F : K.Findings)
      if (!F.File.empty())
        F.File = NewName(F.File);
  }
}

void gpuocc::nameFilesFromHere(ReportSummary &Summary) {
  renameFiles(Summary, nameFromHere);
}

using Files = std::set<std::string>;

/// Those of \p Changed that \p Inputs name, or that lie below a folder of them.
static Files selectChanges(ArrayRef<std::string> Changed,
                           ArrayRef<StringRef> Inputs) {
  Files Selected;
  for (const std::string &File : Changed)
    if (Inputs.empty() || any_of(Inputs, [&](StringRef Input) {
          std::string Path = absolutePath(Input);
          return File == Path || StringRef(File).starts_with(Path + "/");
        }))
      Selected.insert(File);
  return Selected;
}

/// True when \p Job may come out differently since \p Changed did.
static bool isConcerned(const SourceJob &Job, const Files &Changed,
                        IncludeScan &Scan) {
  const std::string File = absolutePath(Job.File);
  if (std::string Config = findConfig(File);
      !Config.empty() && Changed.count(absolutePath(Config)))
    return true;
  return any_of(
      Scan.reach(File, includeFolders(Job)),
      [&](const std::string &Reached) { return Changed.count(Reached) != 0; });
}

/// The compilation database of the project below \p Root, if it lies where
/// builds put it.
static std::string usualDatabase(StringRef Root) {
  for (StringRef Folder : {"", "/build"})
    if (std::string Path = (Root + Folder + "/compile_commands.json").str();
        sys::fs::exists(Path))
      return Path;
  return {};
}

/// Runs \p Jobs and \p Others at once; the outcomes of the others come second.
static std::pair<std::vector<JobOutcome>, std::vector<JobOutcome>>
runBoth(ArrayRef<SourceJob> Jobs, ArrayRef<SourceJob> Others,
        const RunJobsOptions &Options) {
  std::vector<SourceJob> All = Jobs.vec();
  append_range(All, Others);
  std::vector<JobOutcome> Outcomes = runJobs(All, Options);
  std::vector<JobOutcome> Second(
      std::make_move_iterator(Outcomes.begin() + Jobs.size()),
      std::make_move_iterator(Outcomes.end()));
  Outcomes.resize(Jobs.size());
  return {std::move(Outcomes), std::move(Second)};
}

static Expected<BothSides> analyzeBoth(ArrayRef<SourceJob> Jobs,
                                       const TreeOfCommit &Tree,
                                       const RunJobsOptions &Options) {
  std::vector<SourceJob> Earlier;
  for (const SourceJob &Job : Jobs)
    if (std::optional<SourceJob> There = Tree.jobOf(Job))
      Earlier.push_back(std::move(*There));
  // What was kept of today's side is looked up before today's replaces it.
  auto [Then, Now] = runBoth(Earlier, Jobs, Options);
  ReportSummary Before;
  size_t NumFailed = 0;
  for (JobOutcome &Outcome : Then) {
    NumFailed += !Outcome.hasReport() && !Outcome.IsPart;
    if (Outcome.Summary)
      Before.append(std::move(*Outcome.Summary));
  }
  if (NumFailed != 0)
    errs() << "note: " << formatCount(double(NumFailed), "file")
           << " could not be analyzed at the other commit: taken as new\n";
  ProjectResult Result = collectReports(Jobs, std::move(Now));
  renameFiles(Before, [&](StringRef File) {
    return nameFromHere(Tree.originalPath(File));
  });
  nameFilesFromHere(Result.Summary);
  return BothSides{std::move(Before), std::move(Result.Summary), Result.Status,
                   Jobs.size(), std::move(Result.Files)};
}

Expected<BothSides>
gpuocc::compareWithCommit(StringRef Revision, ArrayRef<StringRef> Inputs,
                          ArrayRef<StringRef> CompilerOptions,
                          ProjectOptions Sets, const PassedOptions &Passed) {
  Expected<GitRepository> Repository = GitRepository::around(".");
  if (!Repository)
    return Repository.takeError();
  Expected<std::string> Commit = Repository->commitBefore(Revision);
  if (!Commit)
    return Commit.takeError();
  Expected<std::vector<std::string>> Changed =
      Repository->changedSince(*Commit);
  if (!Changed)
    return Changed.takeError();
  const Files Changes = selectChanges(*Changed, Inputs);
  // A database that is named is read all the same: it may be a mistake.
  if (Changes.empty() && Sets.Build.empty())
    return BothSides{};
  if (Sets.Build.empty())
    Sets.Build = usualDatabase(Repository->root());
  std::vector<StringRef> Everything;
  if (Sets.Build.empty())
    Everything.push_back(Repository->root());
  Expected<Project> Selected = selectFiles(Everything, CompilerOptions, Sets);
  if (!Selected)
    return Selected.takeError();
  IncludeScan Scan(Repository->root());
  erase_if(Selected->Jobs, [&](const SourceJob &Job) {
    return !isConcerned(Job, Changes, Scan);
  });
  if (Selected->Jobs.empty())
    return BothSides{};
  for (const std::string &Note : Selected->Notes)
    errs() << "note: " << printable(Note) << '\n';
  Expected<TreeOfCommit> Tree = TreeOfCommit::create(*Repository, *Commit);
  if (!Tree)
    return Tree.takeError();
  return analyzeBoth(Selected->Jobs, *Tree, runOptions(Sets, Passed));
}
