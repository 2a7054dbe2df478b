//===- TemporaryFolder.cpp - Folders that go away -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Remains.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/Support/Errno.h"
#include <cstdlib>

using namespace gpuocc;
using namespace llvm;

Expected<TemporaryFolder> TemporaryFolder::create(StringRef Prefix,
                                                  StringRef Root) {
  const std::string Parent = Root.empty() ? temporaryRoot() : Root.str();
  Expected<std::string> Path =
      Remains::get().addFolder([&]() -> Expected<std::string> {
        std::string New = Parent + "/" + Prefix.str() + "-XXXXXX";
        if (mkdtemp(New.data()))
          return New;
        const std::error_code EC = errnoAsErrorCode();
        return createStringError(EC, "cannot create a temporary folder in '" +
                                         Parent + "': " + EC.message());
      });
  if (!Path)
    return Path.takeError();
  TemporaryFolder Folder;
  Folder.Path = *Path;
  return std::move(Folder);
}

TemporaryFolder::TemporaryFolder(TemporaryFolder &&Other)
    : Path(std::move(Other.Path)) {
  Other.Path.clear();
}

TemporaryFolder::~TemporaryFolder() {
  if (Path.empty())
    return;
  removeFolder(Path);
  Remains::get().dropFolder(Path);
}
