//===- LookedUpFiles.cpp - What a failed compile depends on ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LookedUpFiles.h"
#include "PrecompiledHeaders.h"
#include "ReportCache.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

/// The value of the last -MF in \p Options; empty: there is none.
static std::string dependenceFileIn(ArrayRef<std::string> Options) {
  std::string Path;
  for (size_t I = 0; I + 1 < Options.size(); ++I)
    if (Options[I] == "-MF")
      Path = Options[I + 1];
  return Path;
}

static std::string workingDirectoryIn(ArrayRef<std::string> Options) {
  std::string Directory;
  for (StringRef Option : Options)
    if (Option.consume_front("-working-directory="))
      Directory = Option.str();
  return Directory;
}

std::vector<std::string> gpuocc::searchedFolders(StringRef Said) {
  std::vector<std::string> Folders;
  bool IsInList = false;
  for (StringRef Line : split(Said, '\n')) {
    // Clang leaves out of the list what does not exist yet.
    if (Line.consume_front("ignoring nonexistent directory \""))
      Folders.push_back(Line.take_until([](char C) { return C == '"'; }).str());
    else if (Line.contains("search starts here:"))
      IsInList = true;
    else if (Line.starts_with("End of search list."))
      IsInList = false;
    else if (IsInList && Line.starts_with(" "))
      Folders.push_back(Line.trim().str());
  }
  return Folders;
}

std::string gpuocc::formatDependencies(StringRef Target,
                                       ArrayRef<std::string> Files) {
  std::string Text = Target.str() + ":";
  for (const std::string &File : Files) {
    Text += ' ';
    for (char C : File) {
      if (C == ' ' || C == '#')
        Text += '\\';
      else if (C == '$')
        Text += '$';
      Text += C;
    }
  }
  return Text + "\n";
}

/// \p Found, some of which are names of headers that do not exist, with all
/// paths at which they would be found in their places.
static std::vector<std::string>
withPlacesOfMissing(ArrayRef<std::string> Found, ArrayRef<std::string> Folders,
                    StringRef Directory) {
  std::set<std::string> Files, Searched;
  std::vector<StringRef> Missing;
  for (const std::string &Name : Found) {
    std::string Path = absolutePath(Name, Directory);
    if (!sys::fs::exists(Path)) {
      Missing.push_back(Name);
      continue;
    }
    // Names in quotes are looked for beside the file that includes them.
    Searched.insert(sys::path::parent_path(Path).str());
    Files.insert(std::move(Path));
  }
  for (const std::string &Folder : Folders)
    Searched.insert(absolutePath(Folder, Directory));
  for (StringRef Name : Missing)
    for (const std::string &Folder : Searched)
      if (std::string Path = absolutePath(Name, Folder); !sys::fs::exists(Path))
        Files.insert(std::move(Path));
  return {Files.begin(), Files.end()};
}

void gpuocc::noteLookedUpFiles(StringRef Clang, ArrayRef<std::string> Options,
                               StringRef File) {
  const std::string Output = dependenceFileIn(Options);
  if (Output.empty())
    return;
  Expected<TemporaryFile> Rule = TemporaryFile::create("gpuocc", "d");
  if (!Rule) {
    consumeError(Rule.takeError());
    return;
  }
  // With -MG clang goes on behind a header that is missing.
  const std::vector<std::string> Kept = withoutOutputs(Options);
  std::vector<StringRef> Words(Kept.begin(), Kept.end());
  Words.insert(Words.end(), {"-M", "-MG", "-MF", Rule->path(), "-v",
                             "-ferror-limit=0", File});
  Expected<ProcessResult> Run = runProcess(Clang, Words);
  if (!Run) {
    consumeError(Run.takeError());
    return;
  }
  Expected<std::string> Text = Rule->read();
  if (!Text) {
    consumeError(Text.takeError());
    return;
  }
  const std::vector<std::string> Files = withPlacesOfMissing(
      parseDependencies(*Text), searchedFolders(Run->ErrorOutput),
      workingDirectoryIn(Options));
  if (!Files.empty())
    consumeError(writeOutput(Output, formatDependencies("failed", Files)));
}
