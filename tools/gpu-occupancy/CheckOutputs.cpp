//===- CheckOutputs.cpp - What -o may name --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckOutputs.h"
#include "gpuocc/Support/OutputFile.h"
#include "sources/NamedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace gpuocc;
using namespace llvm;

static Error check(StringRef Output, const std::set<std::string> &Files) {
  const std::vector<StringRef> Inputs(Files.begin(), Files.end());
  return checkOutput(Output, Inputs);
}

Error gpuocc::checkOutputBefore(StringRef Output, ArrayRef<StringRef> Inputs,
                                const AssessFileOptions &Options,
                                StringRef Build) {
  std::set<std::string> Files;
  for (StringRef Input : Inputs) {
    Files.insert(Input.str());
    for (std::string &Named : namedFiles(Options, Input))
      Files.insert(std::move(Named));
  }
  if (!Build.empty()) {
    SmallString<128> Database(Build);
    if (sys::fs::is_directory(Build))
      sys::path::append(Database, "compile_commands.json");
    Files.insert(Database.str().str());
  }
  return check(Output, Files);
}

Error gpuocc::checkOutputAfter(StringRef Output, const Report &Made,
                               ArrayRef<std::string> Read) {
  std::set<std::string> Files(Read.begin(), Read.end());
  for (const KernelReport &K : Made.Kernels) {
    Files.insert(K.Facts.Place.File);
    for (const SourceLocation &Location : K.Facts.Locations)
      for (const SourcePlace &Place : Location.Places)
        Files.insert(Place.File);
  }
  return check(Output, Files);
}
