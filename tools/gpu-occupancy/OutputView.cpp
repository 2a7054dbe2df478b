//===- OutputView.cpp - Views for an output -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputView.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"

using namespace gpuocc;
using namespace llvm;

static std::optional<std::string> sourceText(StringRef File) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Text = MemoryBuffer::getFile(File);
  if (!Text)
    return std::nullopt;
  return (*Text)->getBuffer().str();
}

ViewOptions gpuocc::viewForOutput(ViewOptions View, StringRef Output) {
  SmallString<256> Here;
  if (!sys::fs::current_path(Here))
    View.BaseDirectory = Here.str();
  if (Output == "-") {
    View.Columns = sys::Process::StandardOutColumns();
    View.Colors = sys::Process::StandardOutHasColors() &&
                  !sys::Process::GetEnv("NO_COLOR");
  }
  View.ReadSource = sourceText;
  return View;
}
