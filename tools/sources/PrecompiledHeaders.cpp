//===- PrecompiledHeaders.cpp - CUDA's headers, read once -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrecompiledHeaders.h"
#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/ReadInput.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/xxhash.h"

using namespace gpuocc;
using namespace llvm;

std::vector<std::string> gpuocc::withoutOutputs(ArrayRef<std::string> Options) {
  static constexpr StringLiteral WithValue[] = {"-mllvm", "-MF", "-MT", "-MQ"},
                                 Alone[] = {"-MD", "-MMD", "-MP"};
  std::vector<std::string> Kept;
  for (size_t I = 0; I < Options.size(); ++I) {
    if (is_contained(WithValue, Options[I]))
      ++I;
    else if (!is_contained(Alone, Options[I]))
      Kept.push_back(Options[I]);
  }
  return Kept;
}

/// True unless \p Option means the same wherever clang runs.
static bool mayNameRelativePath(StringRef Option) {
  static constexpr StringLiteral WithoutPath[] = {"-D",
                                                  "-U",
                                                  "-W",
                                                  "-O",
                                                  "-std=",
                                                  "-fno-",
                                                  "-fclang-abi-compat=",
                                                  "-g",
                                                  "--cuda-gpu-arch=",
                                                  "--cuda-host-only"},
                                 BeforePath[] = {"-I",       "-isystem",
                                                 "-iquote",  "-idirafter",
                                                 "-include", "--cuda-path=",
                                                 "--config="},
                                 Words[] = {"-S", "-w", "-x", "cuda",
                                            "-Xclang"};
  if (is_contained(Words, Option) ||
      any_of(WithoutPath, [&](StringRef P) { return Option.starts_with(P); }))
    return false;
  for (StringRef P : BeforePath)
    if (Option.consume_front(P))
      break;
  return !Option.empty() && !sys::path::is_absolute(Option);
}

PrecompiledHeaders::PrecompiledHeaders(StringRef KeptIn, StringRef Clang,
                                       std::vector<std::string> Given)
    : Clang(Clang), Options(withoutOutputs(Given)) {
  if (KeptIn.empty())
    return;
  SmallString<128> Path(KeptIn), Here;
  sys::fs::make_absolute(Path);
  sys::path::append(Path, "headers");
  Folder = Path.str().str();
  if (any_of(Options, mayNameRelativePath))
    sys::fs::current_path(Here);
  const std::string Key = (Clang + "\n" + stateOfFile(Clang) + "\n" + Here +
                           "\n" + join(Options, "\n"))
                              .str();
  sys::path::append(Path, utohexstr(xxh3_64bits(Key), /*LowerCase=*/true, 16) +
                              ".pch");
  File = Path.str().str();
}

/// Files that are kept, of some 10 MB each.
static constexpr size_t MostFiles = 16;

/// Moves the file \p From to \p To, which may lie on another disk.
static bool moveFile(StringRef From, StringRef To) {
  if (!sys::fs::rename(From, To))
    return true;
  auto Buffer = MemoryBuffer::getFile(From);
  if (!Buffer)
    return false;
  Error E = writeOutput(To, (*Buffer)->getBuffer());
  const bool IsMoved = !E;
  consumeError(std::move(E));
  return IsMoved;
}

/// What is kept beside a file: its checksum, with which build of ours made it.
static constexpr StringLiteral SealEnding = ".seal";

/// The checksum of the file \p Path; nothing where it cannot be read.
static std::optional<std::string> stateOf(const std::string &Path) {
  Expected<std::unique_ptr<MemoryBuffer>> File = readInput(Path);
  if (!File) {
    consumeError(File.takeError());
    return std::nullopt;
  }
  return utohexstr(xxh3_64bits((*File)->getBuffer()), /*LowerCase=*/true, 16);
}

bool PrecompiledHeaders::make() const {
  if (sys::fs::create_directories(Folder))
    return false;
  SmallString<128> Source(Folder);
  sys::path::append(Source, "empty.cu");
  // Clang refuses a precompiled file whose source was written since.
  int FD = -1;
  if (!sys::fs::openFileForWrite(Source, FD, sys::fs::CD_CreateNew))
    sys::Process::SafelyCloseFileDescriptor(FD);
  // Not in the cache, where a compiler that is stopped would leave a part.
  Expected<TemporaryFolder> Own = TemporaryFolder::create("gpuocc-headers");
  if (!Own) {
    consumeError(Own.takeError());
    return false;
  }
  const std::string Made = (Own->path() + "/made.pch").str();
  std::vector<StringRef> Words(Options.begin(), Options.end());
  Words.insert(Words.end(), {"-Xclang", "-emit-pch", "-o", Made});
  Words.push_back(Source);
  Expected<ProcessResult> Run = runProcess(Clang, Words);
  if (!Run) {
    consumeError(Run.takeError());
    return false;
  }
  if (Run->Status != 0 || !moveFile(Made, File))
    return false;
  keepNewestFiles(Folder, MostFiles, ".pch");
  // Earlier versions made them in the cache.
  keepNewestFiles(Folder, /*Most=*/0, ".pch.tmp");
  keepNewestFiles(Folder, MostFiles, SealEnding);
  const std::optional<std::string> State = stateOf(File);
  if (!State)
    return false;
  consumeError(writeOutput(File + SealEnding.str(), sealed(*State)));
  return true;
}

bool PrecompiledHeaders::isWhole() const {
  const std::optional<std::string> State = stateOf(File);
  if (!State)
    return false;
  Expected<std::unique_ptr<MemoryBuffer>> Seal =
      readInput(File + SealEnding.str());
  if (!Seal) {
    consumeError(Seal.takeError());
    return false;
  }
  return unsealed((*Seal)->getBuffer()) == StringRef(*State);
}

std::vector<std::string> PrecompiledHeaders::use() const {
  if (File.empty() || (!isWhole() && !make()))
    return {};
  return {"-Xclang", "-include-pch", "-Xclang", File};
}

bool PrecompiledHeaders::noteFailure(StringRef ErrorOutput) const {
  if (!ErrorOutput.contains(File))
    return false;
  sys::fs::remove(File);
  return true;
}
