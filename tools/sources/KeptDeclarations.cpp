//===- KeptDeclarations.cpp - What clang read of a source -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KeptDeclarations.h"
#include "Compiler.h"
#include "ReportCache.h"
#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// What decides the declarations beside the contents of files.
static std::string keyOf(StringRef File, ArrayRef<std::string> Command,
                         StringRef Clang) {
  SmallString<128> Here;
  sys::fs::current_path(Here);
  std::string Key = ("declarations\n" + Here + "\n" + File + "\n" +
                     join(lastingOptions(Command), "\n") + "\n")
                        .str();
  for (const std::string &Program :
       {Clang.str(), besideProgram("lib/GpuOccupancyPasses.so"),
        besideProgram("lib/GpuOccupancyLaunches.so")})
    Key += Program + "\n" + stateOfFile(Program) + "\n";
  for (StringRef Name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    Key += sys::Process::GetEnv(Name).value_or("") + "\n";
  return Key;
}

/// \p Read as it is kept; nothing where another try may mend what failed.
static std::optional<KeptReport> entryOf(Expected<FactsFile> &Read) {
  KeptReport Entry;
  if (Read) {
    raw_string_ostream OS(Entry.Json);
    writeFactsFile(*Read, OS);
    return Entry;
  }
  Entry.Messages = toString(Read.takeError());
  Read = createStringError(Entry.Messages);
  if (!isErrorInSource(Entry.Messages))
    return std::nullopt;
  return Entry;
}

Expected<FactsFile> gpuocc::keptDeclarations(StringRef File,
                                             ArrayRef<std::string> Command,
                                             const SourceOptions &Options,
                                             DeclarationReader Read) {
  if (Options.CacheFolder.empty() || !Options.Shortcuts.Buffers.empty() ||
      is_contained(Options.ClangArguments, "-MF"))
    return Read(Options);
  Expected<std::string> Clang = findClang(Options.Clang);
  if (!Clang)
    return Clang.takeError();
  ReportCache Cache(Options.CacheFolder);
  const std::string Key = keyOf(File, Command, *Clang);
  if (std::optional<KeptReport> Kept = Cache.find(Key)) {
    if (Kept->Json.empty())
      return createStringError(Kept->Messages);
    Expected<FactsFile> Facts = parseFactsFile(Kept->Json, File);
    if (Facts)
      return Facts;
    consumeError(Facts.takeError());
  }
  Expected<TemporaryFile> Rule = TemporaryFile::create("gpuocc", "d");
  if (!Rule)
    return Rule.takeError();
  SourceOptions Noting = Options;
  Noting.ClangArguments.insert(Noting.ClangArguments.end(),
                               {"-MD", "-MF", Rule->path()});
  Expected<FactsFile> Made = Read(Noting);
  std::optional<KeptReport> Entry = entryOf(Made);
  Expected<std::string> Files = Rule->read();
  if (!Files) {
    consumeError(Files.takeError());
    return Made;
  }
  if (!Entry)
    return Made;
  for (const std::string &Path : parseDependencies(*Files))
    Entry->Dependencies.push_back(absolutePath(Path));
  if (!Entry->Dependencies.empty())
    Cache.store(Key, *Entry);
  return Made;
}
