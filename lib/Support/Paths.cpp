//===- Paths.cpp - Paths and folders --------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Paths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::absolutePath(StringRef Path, StringRef Directory) {
  SmallString<256> Full(Path);
  if (!Directory.empty())
    sys::path::make_absolute(Directory, Full);
  sys::fs::make_absolute(Full);
  sys::path::remove_dots(Full, /*remove_dot_dot=*/true);
  return Full.str().str();
}

/// Hands each file to \p Take until that returns false.
static std::error_code walk(StringRef Folder, StringRef Extension,
                            function_ref<bool(const std::string &)> Take) {
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(Folder, EC,
                                               /*follow_symlinks=*/false),
       End;
       I != End && !EC; I.increment(EC))
    if ((Extension.empty() || sys::path::extension(I->path()) == Extension) &&
        sys::fs::is_regular_file(I->path()) && !Take(I->path()))
      break;
  return EC;
}

Expected<std::vector<std::string>> gpuocc::filesBelow(StringRef Folder,
                                                      StringRef Extension) {
  std::vector<std::string> Found;
  if (std::error_code EC =
          walk(Folder, Extension, [&](const std::string &Path) {
            Found.push_back(Path);
            return true;
          }))
    return createStringError(EC, "cannot read folder '" + Folder +
                                     "': " + EC.message());
  llvm::sort(Found);
  return Found;
}

bool gpuocc::hasFileBelow(StringRef Folder, StringRef Extension) {
  bool Found = false;
  (void)walk(Folder, Extension, [&](const std::string &) {
    Found = true;
    return false;
  });
  return Found;
}

bool gpuocc::isWithin(StringRef Path, StringRef Folder) {
  SmallString<256> File, Around;
  if (sys::fs::real_path(Path, File) ||
      sys::fs::real_path(Folder.empty() ? "." : Folder, Around))
    return false;
  StringRef Below = File;
  return Around == "/" ||
         (Below.consume_front(Around) && (Below.empty() || Below[0] == '/'));
}
