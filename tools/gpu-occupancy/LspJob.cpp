//===- LspJob.cpp - One analysis for the language server ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LspJob.h"
#include "LspJobOutput.h"
#include "Project.h"
#include "gpuocc/Support/ParseJSON.h"
#include "sources/AssessFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral LspJobUsage =
    "usage: gpu-occupancy lsp --job FILE [options] [-- compiler options]\n"
    "\n"
    "What the language server runs for each analysis.\n";

/// Reads the file \p Path: an object of paths and those of their texts.
static Error readBuffers(StringRef Path,
                         std::map<std::string, std::string> &Out) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  Expected<json::Value> Parsed = parseJSON((*Buffer)->getBuffer());
  if (!Parsed)
    return Parsed.takeError();
  json::Path::Root Root("buffers");
  return fromJSON(*Parsed, Out, Root) ? Error::success() : Root.getError();
}

/// Reads the file \p Path: keys of reports, one a line.
static Error readKeys(StringRef Path, KnownReports &Out) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  for (StringRef Key : split((*Buffer)->getBuffer(), '\n'))
    Out.Keys.insert(Key.str());
  return Error::success();
}

static std::vector<OptionRow> rowsOf(SourceShortcuts &S) {
  return {
      {"--kept-facts", "FILE", "read facts there, or write them",
       store(S.KeptFacts)},
      {"--known-facts", "FILE", "facts of an earlier text",
       store(S.KnownFacts)},
      {"--preambles", "FOLDER", "precompiled preambles", store(S.Preambles)},
      {"--build-preamble", "", "compile the preamble only",
       [&S](StringRef) {
         S.BuildsPreamble = true;
         return Error::success();
       }},
      {"--as-built", "", "nvcc reads these texts too",
       [&S](StringRef) {
         S.NvccReadsBuffers = true;
         return Error::success();
       }},
      {"--buffers", "FILE", "texts to be read instead of files",
       [&S](StringRef Path) { return readBuffers(Path, S.Buffers); }}};
}

Expected<ExitStatus> gpuocc::runLspJob(ArrayRef<StringRef> Arguments) {
  // Typing goes first: the editor, and the server that answers it. Programs
  // that the job runs inherit it. A scheduling class for idle processors would
  // keep diagnostics away for as long as a build runs beside them.
  constexpr int Nicer = 5;
  (void)::nice(Nicer);
  AssessFileOptions Options;
  std::vector<OptionRow> Rows = Options.rows();
  append_range(Rows, rowsOf(Options.Source.Shortcuts));
  KnownReports Known;
  Options.Session.Known = &Known;
  Rows.push_back({"--known-reports", "FILE", "keys of reports to leave out",
                  [&](StringRef Path) { return readKeys(Path, Known); }});
  Expected<ParsedArguments> Parsed = parseOrHelp(Arguments, LspJobUsage, Rows);
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.size() != 1)
    return createStringError("a job is one file");
  Expected<TranslatedArguments> Compiler =
      takeCompilerOptions(Parsed->Rest, Options.Source);
  if (!Compiler)
    return Compiler.takeError();
  Options.Session.Buffers = Options.Source.Shortcuts.Buffers;
  Expected<Report> R = assessFile(Parsed->Positional.front(), Options);
  if (!R)
    return R.takeError();
  writeJobOutput(*R, Known, outs());
  return StatusGood;
}
