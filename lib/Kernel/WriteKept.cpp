//===- WriteKept.cpp - Files of what is kept of launches ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WriteKept.h"

using namespace gpuocc;
using namespace llvm;

Error gpuocc::writeKept(StringRef Path,
                        function_ref<void(raw_ostream &)> Write) {
  std::error_code EC;
  raw_fd_ostream OS(Path, EC);
  if (EC)
    return createFileError(Path, EC);
  Write(OS);
  OS.close();
  EC = OS.error();
  OS.clear_error();
  return EC ? createFileError(Path, EC) : Error::success();
}
