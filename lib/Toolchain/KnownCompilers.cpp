//===- KnownCompilers.cpp - Compilers that a repository may name ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/KnownCompilers.h"
#include "gpuocc/Toolchain/AllowedOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace gpuocc;
using namespace llvm;

/// "g++", with a target in front and a release behind.
static bool hasNameOfCompiler(StringRef Program) {
  static constexpr StringLiteral Names[] = {"g++",     "gcc", "c++",
                                            "clang++", "cc",  "clang"};
  StringRef Name = sys::path::filename(Program);
  const StringRef Release = Name.rsplit('-').second;
  if (!Release.empty() &&
      all_of(Release, [](char C) { return isDigit(C) || C == '.'; }))
    Name = Name.rsplit('-').first;
  return any_of(Names, [&](StringRef Known) {
    return Name == Known || Name.ends_with(("-" + Known).str());
  });
}

/// The folders of PATH that mean the same wherever this runs.
static SmallVector<StringRef> foldersOfPath(StringRef Path) {
  SmallVector<StringRef> Folders;
  Path.split(Folders, sys::EnvPathSeparator, -1, /*KeepEmpty=*/false);
  erase_if(Folders,
           [](StringRef Folder) { return !sys::path::is_absolute(Folder); });
  return Folders;
}

bool gpuocc::mayRunCompiler(StringRef Program, ArrayRef<std::string> Globs) {
  const std::string Path = sys::Process::GetEnv("PATH").value_or("");
  SmallVector<StringRef> Trusted = foldersOfPath(Path);
  std::string Found = Program.str();
  if (!Program.contains('/')) {
    ErrorOr<std::string> InPath = sys::findProgramByName(Program, Trusted);
    if (!InPath)
      return false;
    Found = *InPath;
  }
  if (!isPlain(Found) || !sys::path::is_absolute(Found) ||
      StringRef(Found).contains("/../"))
    return false;
  if (any_of(Globs, [&](StringRef Text) {
        Expected<GlobPattern> Glob = GlobPattern::create(Text);
        if (Glob)
          return Glob->match(Found);
        consumeError(Glob.takeError());
        return false;
      }))
    return true;
  Trusted.append({"/usr/bin", "/usr/local/bin"});
  return hasNameOfCompiler(Found) &&
         is_contained(Trusted, sys::path::parent_path(Found));
}

Error gpuocc::checkGlobs(ArrayRef<std::string> Globs) {
  for (StringRef Text : Globs)
    if (Error E = GlobPattern::create(Text).takeError())
      return createStringError("'" + Text +
                               "' is no pattern: " + toString(std::move(E)));
  return Error::success();
}
