//===- KeptFiles.cpp - Files that a cache keeps ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/KeptFiles.h"
#include "gpuocc/Support/BuildId.h"
#include "gpuocc/Support/FileFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/xxhash.h"
#include <vector>

using namespace llvm;

std::string gpuocc::stateOfFile(StringRef Path) {
  sys::fs::file_status S;
  if (sys::fs::status(Path, S))
    return "";
  return utostr(S.getSize()) + "@" +
         itostr(S.getLastModificationTime().time_since_epoch().count());
}

/// The line in front of \p Body, with its end.
static std::string sealOf(StringRef Body) {
  const XXH128_hash_t Hash = xxh3_128bits(arrayRefFromStringRef(Body));
  return "gpu-occupancy-cache " +
         utostr(gpuocc::currentVersion(gpuocc::FileFormat::CacheEntry)) + " " +
         gpuocc::buildId() + " " + utohexstr(Hash.high64, true, 16) +
         utohexstr(Hash.low64, true, 16) + "\n";
}

std::string gpuocc::sealed(StringRef Body) { return sealOf(Body) + Body.str(); }

std::optional<StringRef> gpuocc::unsealed(StringRef Text) {
  const StringRef Body = Text.split('\n').second;
  if (Text.drop_back(Body.size()) != sealOf(Body))
    return std::nullopt;
  return Body;
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
