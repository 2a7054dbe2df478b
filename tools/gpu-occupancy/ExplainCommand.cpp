//===- ExplainCommand.cpp - gpu-occupancy explain -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssessFile.h"
#include "Commands.h"
#include "Project.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Support/NearestKey.h"
#include "gpuocc/Views/WriteDevices.h"
#include "gpuocc/Views/WriteWorksheet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral Usage =
    "usage: gpu-occupancy explain KERNEL FILE [options] [-- compiler options]\n"
    "\n"
    "Shows how the numbers of one kernel come about: bounds with every term, "
    "the\n"
    "longest path of a warp by source line, throughput over warps, achieved "
    "rates,\n"
    "the instruction roofline, assumptions. Drawings are as wide as the "
    "terminal.\n"
    "KERNEL is a name, a mangled name or a /regular expression/.\n";

static Error noSuchKernel(StringRef Name, const Report &R) {
  SmallVector<StringRef, 8> Names;
  for (const KernelReport &K : R.Kernels)
    Names.push_back(baseName(K.Facts.Demangled));
  if (Names.empty())
    return createStringError("the file has no kernels");
  return createStringError("there is no kernel '" + Name + "'" +
                           didYouMean(Name, Names));
}

Expected<ExitStatus> gpuocc::runExplain(ArrayRef<StringRef> Arguments) {
  AssessFileOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, Usage, Options.rows());
  if (!Parsed)
    return Parsed.takeError();
  if (Parsed->Help)
    return StatusGood;
  if (Parsed->Positional.size() != 2)
    return createStringError("explain needs a kernel and a file; see "
                             "'gpu-occupancy explain --help'");
  LaunchSpec Wanted;
  Wanted.Kernel = Parsed->Positional[0].str();
  if (Error E = checkKernelPattern(Wanted.Kernel))
    return std::move(E);
  Expected<TranslatedArguments> Compiler =
      takeCompilerOptions(Parsed->Rest, Options.Source);
  if (!Compiler)
    return Compiler.takeError();
  Expected<Report> R = assessFile(Parsed->Positional[1], Options);
  if (!R)
    return R.takeError();
  Report Matching;
  for (const KernelReport &K : R->Kernels)
    if (matchesKernel(Wanted, K.Facts))
      Matching.Kernels.push_back(K);
  if (Matching.Kernels.empty())
    return noSuchKernel(Wanted.Kernel, *R);
  if (!Options.Devices.empty()) {
    if (Error E = writeDeviceTable(Matching, outs()))
      return std::move(E);
    outs() << '\n';
  }
  WorksheetOptions Sheet;
  if (unsigned Columns = sys::Process::StandardOutColumns())
    Sheet.Columns = Columns;
  for (const auto &[Index, K] : enumerate(Matching.Kernels)) {
    if (Index != 0)
      outs() << '\n';
    if (Error E = writeWorksheet(K, Sheet, outs()))
      return std::move(E);
  }
  return StatusGood;
}
