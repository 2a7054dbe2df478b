//===- Nvcc.cpp - PTX from nvcc -------------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Toolchain/Nvcc.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

/// \p Word as one of the words that nvcc splits at commas.
static std::string escapeCommas(StringRef Word) {
  SmallVector<StringRef, 2> Parts;
  Word.split(Parts, ',');
  return join(Parts, "\\,");
}

Expected<NvccOutput> gpuocc::runNvcc(StringRef Nvcc, StringRef File,
                                     StringRef Architecture,
                                     ArrayRef<std::string> Options) {
  Expected<TemporaryFile> Ptx = TemporaryFile::create("gpuocc", "ptx");
  if (!Ptx)
    return Ptx.takeError();
  Expected<TemporaryFile> Rule = TemporaryFile::create("gpuocc", "d");
  if (!Rule)
    return Rule.takeError();
  const std::string Target = ("-arch=" + Architecture).str();
  // The preprocessor of the device code notes what it reads; for -MD, nvcc
  // starts another.
  const std::string ToPreprocessor =
      "-MD,-MT,ptx,-MF," + escapeCommas(Rule->path());
  SmallVector<StringRef, 32> Arguments(Options.begin(), Options.end());
  Arguments.append({"-ptx", "-lineinfo", Target, "-Xcompiler", ToPreprocessor,
                    "-o", Ptx->path(), "-x", "cu", File});
  Expected<ProcessResult> Run = runProcess(Nvcc, Arguments);
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return createStringError(errorLineOf(Run->ErrorOutput + Run->Output));
  Expected<std::string> Text = Ptx->read();
  if (!Text)
    return Text.takeError();
  Expected<std::string> Files = Rule->read();
  if (!Files)
    return Files.takeError();
  return NvccOutput{std::move(*Text), std::move(*Files)};
}

std::string gpuocc::nvccOfPtx(StringRef Ptx) {
  const StringRef Comments = Ptx.take_front(Ptx.find("\n.version"));
  if (!Comments.contains("NVVM Compiler"))
    return "";
  const StringRef Release =
      Comments.split("release ").second.take_while([](char C) {
        return isDigit(C) || C == '.';
      });
  return Release.empty() ? "nvcc" : ("nvcc " + Release).str();
}
