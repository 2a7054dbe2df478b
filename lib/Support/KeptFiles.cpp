//===- KeptFiles.cpp - Files that a cache keeps ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/KeptFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <vector>

using namespace llvm;

std::string gpuocc::stateOfFile(StringRef Path) {
  sys::fs::file_status S;
  if (sys::fs::status(Path, S))
    return "";
  return utostr(S.getSize()) + "@" +
         itostr(S.getLastModificationTime().time_since_epoch().count());
}

void gpuocc::keepNewestFiles(StringRef Folder, size_t Most, StringRef Ending) {
  std::vector<std::pair<sys::TimePoint<>, std::string>> Found;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC;
       I.increment(EC))
    if (ErrorOr<sys::fs::basic_file_status> S = I->status();
        S && StringRef(I->path()).ends_with(Ending))
      Found.emplace_back(S->getLastModificationTime(), I->path());
  llvm::sort(Found, std::greater<>());
  for (const auto &[Time, Path] :
       drop_begin(Found, std::min(Most, Found.size())))
    sys::fs::remove(Path);
}
