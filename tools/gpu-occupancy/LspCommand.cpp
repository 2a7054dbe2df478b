//===- LspCommand.cpp - gpu-occupancy lsp ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "LspAnalyzer.h"
#include "LspJob.h"
#include "driver/Arguments.h"
#include "lsp/Server.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral LspUsage =
    "usage: gpu-occupancy lsp\n"
    "\n"
    "A language server: answers an editor over standard input and output. See\n"
    "docs/editors.md.\n";

Expected<ExitStatus> gpuocc::runLsp(ArrayRef<StringRef> Arguments) {
  if (!Arguments.empty() && Arguments.front() == LspJobWord)
    return runLspJob(Arguments.drop_front());
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, LspUsage,
                  {{"--stdio", "", "over standard input and output, as always",
                    [](StringRef) { return Error::success(); }}});
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (!Parsed->Positional.empty())
    return createStringError("lsp takes no file; see 'gpu-occupancy lsp "
                             "--help'");
  Expected<TemporaryFolder> Scratch = TemporaryFolder::create("gpuocc-lsp");
  if (!Scratch)
    return Scratch.takeError();
  // Whatever ends the server, one folder is all there is to remove.
  setenv("TMPDIR", Scratch->path().str().c_str(), /*overwrite=*/1);
  LspAnalyzer Analyzer(Scratch->path());
  editor::Server Server(Analyzer, Scratch->path());
  const bool EndedInOrder = Server.run(STDIN_FILENO, outs());
  return EndedInOrder ? StatusGood : StatusFailed;
}
