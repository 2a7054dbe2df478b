//===- FileFormat.cpp - Versions of file formats --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/FileFormat.h"
#include "llvm/ADT/Twine.h"

using namespace gpuocc;
using namespace llvm;

Error gpuocc::checkVersion(FileFormat F, int64_t Version) {
  const FileFormatInfo &Info = fileFormatInfo(F);
  if (Version >= int64_t(Info.Oldest) && Version <= int64_t(Info.Current))
    return Error::success();
  const std::string Read =
      Info.Oldest == Info.Current
          ? ("version " + Twine(Info.Current)).str()
          : ("versions " + Twine(Info.Oldest) + " to " + Twine(Info.Current))
                .str();
  return createStringError(
      "this " + Info.Name + " has version " + Twine(Version) +
      "; this gpu-occupancy reads " + Read + ": " +
      (Version > int64_t(Info.Current) ? StringRef("take a newer gpu-occupancy")
                                       : StringRef(Info.Remedy)));
}
