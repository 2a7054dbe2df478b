//===- GitRepository.cpp - What changed, and what was before --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GitRepository.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace gpuocc;
using namespace llvm;

Expected<std::string>
GitRepository::git(ArrayRef<StringRef> Arguments,
                   std::vector<std::string> Environment) const {
  // A repository's own configuration names programs to be run.
  std::vector<StringRef> Command = {"-C",
                                    Root,
                                    "--no-pager",
                                    "-c",
                                    "core.fsmonitor=",
                                    "-c",
                                    "core.hooksPath=/dev/null"};
  for (const std::string &Setting : WithoutFilters)
    Command.insert(Command.end(), {"-c", Setting});
  append_range(Command, Arguments);
  ProcessOptions Options;
  Options.Environment = std::move(Environment);
  // Nothing is fetched, which runs programs too.
  Options.Environment.insert(Options.Environment.end(),
                             {"GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none",
                              "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0"});
  Expected<ProcessResult> Run = runProcess(Program, Command, Options);
  if (!Run)
    return Run.takeError();
  if (Run->Status == 0)
    return std::move(Run->Output);
  std::string Why = StringRef(Run->ErrorOutput).split('\n').first.str();
  return createStringError("git " + Arguments.front() + ": " +
                           (Why.empty() ? howItEnded(*Run, 0) : Why));
}

Expected<GitRepository> GitRepository::around(StringRef Folder) {
  ErrorOr<std::string> Found = sys::findProgramByName("git");
  if (!Found)
    return createStringError("there is no git in PATH");
  GitRepository Repository;
  Repository.Program = *Found;
  Repository.Root = Folder.str();
  Expected<std::string> Top = Repository.git({"rev-parse", "--show-toplevel"});
  if (!Top)
    return Top.takeError();
  Repository.Root = StringRef(*Top).rtrim('\n').str();
  if (Error E = Repository.switchFiltersOff())
    return std::move(E);
  return Repository;
}

/// The parts of \p List that end in NUL.
static SmallVector<StringRef, 32> splitList(StringRef List) {
  SmallVector<StringRef, 32> Parts;
  List.split(Parts, '\0', -1, /*KeepEmpty=*/false);
  return Parts;
}

Error GitRepository::switchFiltersOff() {
  // Fails where there is none.
  Expected<std::string> List =
      git({"config", "-z", "--name-only", "--get-regexp", "^filter[.]"});
  if (!List) {
    consumeError(List.takeError());
    return Error::success();
  }
  for (StringRef Key : splitList(*List)) {
    const StringRef Filter = Key.rsplit('.').first;
    // The name of a setting ends where its value begins.
    if (Filter.contains('='))
      return createStringError("git filter '" + Filter +
                               "' cannot be switched off: its name has '='");
    for (StringRef Program : {".clean=", ".smudge=", ".process="})
      WithoutFilters.push_back((Filter + Program).str());
    WithoutFilters.push_back((Filter + ".required=false").str());
  }
  return Error::success();
}

Expected<std::string> GitRepository::commitBefore(StringRef Revision) const {
  Expected<std::string> Commit = Revision.starts_with("-")
                                     ? createStringError("")
                                     : git({"rev-parse", "--verify", "--quiet",
                                            (Revision + "^{commit}").str()});
  if (!Commit) {
    consumeError(Commit.takeError());
    return createStringError("'" + Revision + "' is no commit of '" + Root +
                             "'");
  }
  StringRef Name = StringRef(*Commit).rtrim('\n');
  if (Expected<std::string> Base = git({"merge-base", Name, "HEAD"}))
    return StringRef(*Base).rtrim('\n').str();
  else
    consumeError(Base.takeError());
  return Name.str();
}

Expected<std::vector<std::string>>
GitRepository::changedSince(StringRef Commit) const {
  std::vector<std::string> Changed;
  const std::vector<StringRef> Questions[] = {
      {"diff", "--name-only", "--no-relative", "--no-renames", "--no-ext-diff",
       "--no-textconv", "--ignore-submodules=dirty", "-z", Commit},
      {"ls-files", "-z", "--others", "--exclude-standard"}};
  for (const std::vector<StringRef> &Question : Questions) {
    Expected<std::string> List = git(Question);
    if (!List)
      return List.takeError();
    for (StringRef Name : splitList(*List))
      Changed.push_back(absolutePath(Name, Root));
  }
  return Changed;
}

Error GitRepository::checkOut(StringRef Commit, StringRef Folder) const {
  Expected<TemporaryFolder> Own = TemporaryFolder::create("gpuocc-index");
  if (!Own)
    return Own.takeError();
  const std::vector<std::string> Environment = {
      ("GIT_INDEX_FILE=" + Own->path() + "/index").str(),
      "GIT_LFS_SKIP_SMUDGE=1"};
  if (Error E = git({"read-tree", Commit}, Environment).takeError())
    return E;
  const std::string Prefix = ("--prefix=" + Folder + "/").str();
  if (Error E = git({"checkout-index", "--all", "--quiet", Prefix}, Environment)
                    .takeError())
    return E;
  Expected<std::string> Entries =
      git({"ls-files", "--stage", "-z"}, Environment);
  if (!Entries)
    return Entries.takeError();
  for (StringRef Entry : splitList(*Entries)) {
    if (!Entry.starts_with("160000 "))
      continue;
    StringRef Name = Entry.split('\t').second;
    const std::string Link = absolutePath(Name, Folder);
    // A submodule that cannot be linked is one whose headers are missing.
    (void)sys::fs::create_directories(sys::path::parent_path(Link));
    // A folder of the commit may be a link that leads out of it.
    if (!isWithin(sys::path::parent_path(Link), Folder))
      continue;
    (void)sys::fs::remove(Link);
    (void)sys::fs::create_link(absolutePath(Name, Root), Link);
  }
  return Error::success();
}
