//===- ClangDeclarations.cpp - Host code as clang reads it ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ClangDeclarations.h"
#include "Compiler.h"
#include "KeptDeclarations.h"
#include "LaunchSpelling.h"
#include "LookedUpFiles.h"
#include "PrecompiledHeaders.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// Options that decide what headers say, those of the user among them.
static std::vector<std::string> optionsOfHeaders(const SourceOptions &Options) {
  std::vector<std::string> All = {"-fno-crash-diagnostics",
                                  "-S",
                                  "-w",
                                  "-x",
                                  "cuda",
                                  "--cuda-gpu-arch=" + Options.Architecture,
                                  "--cuda-host-only"};
  append_range(All, headerOptions());
  append_range(All, Options.ClangArguments);
  return All;
}

namespace {

/// Reads one source.
class HostParser {
public:
  HostParser(StringRef Clang, StringRef File, const SourceOptions &Options)
      : Clang(Clang), File(File), Options(Options) {}

  Expected<FactsFile> read();

private:
  /// A run of clang and what it wrote.
  struct Reading {
    ProcessResult Run;
    FactsFile Facts;
    bool IsWritten = false;
    size_t NumErrors = 0;
  };

  Expected<Reading> readWith(ArrayRef<std::string> More);

  StringRef Clang, File;
  const SourceOptions &Options;
};

} // namespace

/// What is read as nvcc includes it before each source.
static std::vector<std::string> macros() {
  return {"-include", besideProgram("share/gpu-occupancy/cuda-shim/include/"
                                    "gpuocc_nvcc_macros.h")};
}

Expected<HostParser::Reading> HostParser::readWith(ArrayRef<std::string> More) {
  Expected<TemporaryFile> Facts = TemporaryFile::create("gpuocc", "facts.json");
  if (!Facts)
    return Facts.takeError();
  Expected<TemporaryFile> Respelt = TemporaryFile::create("gpuocc", "cu");
  if (!Respelt)
    return Respelt.takeError();
  std::vector<std::string> Words = optionsOfHeaders(Options);
  auto ToPlugin = [&](const Twine &Word) {
    Words.insert(Words.end(), {"-Xclang", "-plugin-arg-gpu-occupancy-launches",
                               "-Xclang", Word.str()});
  };
  Words.insert(Words.end(),
               {"-fsyntax-only", "-ferror-limit=0",
                "-fplugin=" + besideProgram("lib/GpuOccupancyLaunches.so"),
                "-Xclang", "-skip-function-bodies"});
  ToPlugin("declarations=" + Facts->path());
  append_range(Words, More);
  std::string TextOf = Options.Shortcuts.textOf(File);
  if (std::optional<std::string> Text = respellLaunches(TextOf)) {
    if (Error E = Respelt->write(*Text))
      return std::move(E);
    TextOf = Respelt->path().str();
  }
  if (TextOf != File)
    Words.insert(Words.end(), {"-Xclang", "-remap-file", "-Xclang",
                               (File + ";" + TextOf).str()});
  Words.push_back(File.str());
  Expected<ProcessResult> Run =
      runProcess(Clang, SmallVector<StringRef, 32>(Words.begin(), Words.end()));
  if (!Run)
    return Run.takeError();
  Reading Result;
  Result.Run = std::move(*Run);
  for (StringRef Line : split(Result.Run.ErrorOutput, '\n'))
    Result.NumErrors += Line.contains("error: ");
  Expected<std::string> Text = Facts->read();
  if (!Text)
    return Text.takeError();
  if (Text->empty())
    return std::move(Result);
  Expected<FactsFile> Parsed = parseFactsFile(*Text, Facts->path());
  if (!Parsed)
    return Parsed.takeError();
  Result.Facts = std::move(*Parsed);
  Result.IsWritten = true;
  return std::move(Result);
}

Expected<FactsFile> HostParser::read() {
  const PrecompiledHeaders Headers(Options.CacheFolder, Clang,
                                   optionsOfHeaders(Options));
  std::vector<std::string> First = macros();
  append_range(First, Headers.use());
  Expected<Reading> Read = readWith(First);
  // Clang refuses a precompiled file that is damaged.
  if (Read && Read->NumErrors != 0 &&
      Headers.noteFailure(Read->Run.ErrorOutput))
    Read = readWith(macros());
  if (Read && Read->NumErrors != 0) {
    // Also what nvcc includes and what it still has of older toolkits.
    std::vector<std::string> Second = macros();
    append_range(Second, hostHeaderOptions());
    Expected<Reading> Again = readWith(Second);
    if (!Again)
      consumeError(Again.takeError());
    else if (Again->IsWritten && Again->NumErrors < Read->NumErrors)
      Read = std::move(Again);
  }
  if (!Read)
    return Read.takeError();
  if (Read->Run.Status != 0)
    noteLookedUpFiles(Clang, optionsOfHeaders(Options), File);
  if (!Read->IsWritten)
    return createStringError(firstCompilerError(Read->Run.ErrorOutput));
  Read->Facts.Problem =
      Read->NumErrors == 0 ? "" : firstCompilerError(Read->Run.ErrorOutput);
  return std::move(Read->Facts);
}

Expected<FactsFile> gpuocc::readDeclarations(StringRef File,
                                             const SourceOptions &Options) {
  Expected<std::string> Clang = findClang(Options.Clang);
  if (!Clang)
    return Clang.takeError();
  return keptDeclarations(File, optionsOfHeaders(Options), Options,
                          [&](const SourceOptions &Noting) {
                            return HostParser(*Clang, File, Noting).read();
                          });
}
