//===- CompileCommands.cpp - The compilation database of a build ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/CompileCommands.h"
#include "gpuocc/Support/ParseJSON.h"
#include "gpuocc/Support/Paths.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

using namespace gpuocc;
using namespace llvm;

/// Programs that run a compiler.
static constexpr StringLiteral Launchers[] = {"ccache", "sccache", "distcc",
                                              "icecc",  "env",     "time"};

size_t CompileCommand::compilerIndex() const {
  size_t Index = 0;
  while (Index + 1 < Arguments.size() &&
         is_contained(Launchers, sys::path::filename(Arguments[Index])))
    ++Index;
  return Index;
}

bool CompileCommand::isByNvcc() const {
  return !Arguments.empty() &&
         sys::path::stem(Arguments[compilerIndex()]) == "nvcc";
}

std::vector<std::string> CompileCommand::options() const {
  if (Arguments.empty())
    return {};
  return {Arguments.begin() + compilerIndex() + 1, Arguments.end()};
}

/// \p Command as a shell splits it.
static std::vector<std::string> splitCommand(StringRef Command) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 32> Words;
  cl::TokenizeGNUCommandLine(Command, Saver, Words);
  return {Words.begin(), Words.end()};
}

static bool readEntry(const json::Value &J, StringRef Base, CompileCommand &Out,
                      json::Path P) {
  json::ObjectMapper O(J, P);
  std::string Directory, File;
  std::optional<std::string> Command;
  std::optional<std::vector<std::string>> Arguments;
  if (!O || !O.map("directory", Directory) || !O.map("file", File) ||
      !O.map("command", Command) || !O.map("arguments", Arguments))
    return false;
  if (Arguments)
    Out.Arguments = std::move(*Arguments);
  else if (Command)
    Out.Arguments = splitCommand(*Command);
  if (Out.Arguments.empty()) {
    P.report("expected a compiler in 'arguments' or 'command'");
    return false;
  }
  Out.Directory = absolutePath(Directory, Base);
  Out.File = absolutePath(File, Out.Directory);
  return true;
}

Expected<std::vector<CompileCommand>>
gpuocc::parseCompileCommands(StringRef Text, StringRef FileName) {
  Expected<json::Value> Document = parseJSON(Text);
  if (!Document)
    return createStringError(
        "'" + FileName + "' is not JSON: " + toString(Document.takeError()));
  const json::Array *Entries = Document->getAsArray();
  if (!Entries)
    return createStringError("'" + FileName +
                             "' is no compilation database: expected an array");
  std::vector<CompileCommand> Commands(Entries->size());
  json::Path::Root Where("commands");
  json::Path Top(Where);
  const std::string Base = absolutePath(sys::path::parent_path(FileName));
  for (size_t I = 0; I != Entries->size(); ++I)
    if (!readEntry((*Entries)[I], Base, Commands[I], Top.index(I)))
      return createStringError("'" + FileName +
                               "': " + toString(Where.getError()));
  return Commands;
}

Expected<std::vector<CompileCommand>>
gpuocc::loadCompileCommands(StringRef Folder) {
  SmallString<256> Path(Folder);
  if (sys::fs::is_directory(Folder))
    sys::path::append(Path, "compile_commands.json");
  Expected<std::unique_ptr<MemoryBuffer>> Buffer = readInput(Path);
  if (!Buffer)
    return createStringError(
        "cannot read compilation database '" + Path +
        "': " + toString(Buffer.takeError()) +
        "; CMake writes one with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  return parseCompileCommands((*Buffer)->getBuffer(), Path);
}
