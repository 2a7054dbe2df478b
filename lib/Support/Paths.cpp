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

namespace {

/// Looks for files in and below a folder.
struct FolderWalk {
  StringRef Extension;
  /// Is handed each file until it returns false.
  function_ref<bool(const std::string &)> Take;
  /// Folders below that cannot be read.
  std::vector<std::string> Unread = {};
  bool GoesOn = true;

  std::error_code walk(const Twine &Folder) {
    std::error_code EC;
    for (sys::fs::directory_iterator I(Folder, EC, /*follow_symlinks=*/false),
         End;
         GoesOn && I != End && !EC; I.increment(EC)) {
      if (I->type() == sys::fs::file_type::directory_file) {
        if (walk(I->path()))
          Unread.push_back(I->path());
      } else if ((Extension.empty() ||
                  sys::path::extension(I->path()) == Extension) &&
                 sys::fs::is_regular_file(I->path())) {
        GoesOn = Take(I->path());
      }
    }
    return EC;
  }
};

} // namespace

Expected<std::vector<std::string>>
gpuocc::filesBelow(StringRef Folder, StringRef Extension,
                   std::vector<std::string> *Unread) {
  std::vector<std::string> Found;
  const auto Take = [&](const std::string &Path) {
    Found.push_back(Path);
    return true;
  };
  FolderWalk Walk{Extension, Take};
  if (std::error_code EC = Walk.walk(Folder))
    return createStringError(EC, "cannot read folder '" + Folder +
                                     "': " + EC.message());
  llvm::sort(Found);
  if (Unread)
    append_range(*Unread, Walk.Unread);
  return Found;
}

bool gpuocc::hasFileBelow(StringRef Folder, StringRef Extension) {
  const auto Stop = [](const std::string &) { return false; };
  FolderWalk Walk{Extension, Stop};
  (void)Walk.walk(Folder);
  return !Walk.GoesOn;
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
