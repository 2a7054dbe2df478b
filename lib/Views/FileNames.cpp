//===- FileNames.cpp - How views name source files ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::fileBelow(StringRef File, StringRef BaseDirectory) {
  SmallString<256> Path(File);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  StringRef Below = Path;
  if (!BaseDirectory.empty() && Below.consume_front(BaseDirectory) &&
      Below.consume_front("/"))
    return Below.str();
  return Path.str().str();
}

bool gpuocc::isCudaTemplate(StringRef File) {
  // The first since CUDA 13, the others before.
  static constexpr StringLiteral Folders[] = {"/include/cccl/", "/include/cub/",
                                              "/include/thrust/"};
  return any_of(Folders,
                [&](StringRef Folder) { return File.contains(Folder); });
}

std::string gpuocc::fileUri(StringRef File) {
  std::string Uri = sys::path::is_absolute(File) ? "file://" : "";
  for (unsigned char C : File) {
    // The unreserved characters, and the separator.
    if (isAlnum(C) || StringRef("-._~/").contains(C)) {
      Uri += char(C);
      continue;
    }
    Uri += '%';
    Uri += hexdigit(C >> 4);
    Uri += hexdigit(C & 15);
  }
  return Uri;
}
