//===- RegistersCommand.cpp - Estimated registers beside those of ptxas ---===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Statistics.h"
#include "driver/Arguments.h"
#include "driver/Registers.h"
#include "gpuocc/Assembler/RegisterPressure.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "sources/ReadSource.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <set>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral RegistersUsage =
    "usage: gpu-occupancy-accuracy registers FILE|FOLDER... [options] [-- "
    "clang arguments]\n"
    "\n"
    "Compares the registers that are estimated where there is no ptxas with "
    "those\n"
    "that ptxas assigns. Reads CUDA sources (.cu) and facts files (.json); of "
    "a\n"
    "folder all such files in it and below. Sources that do not compile are "
    "counted\n"
    "and left out.\n";

namespace {

struct RegistersOptions {
  std::string Architecture = "sm_90";
  std::string Show = "worst", Format = "text";
  SourceOptions Source;
  /// Of the toolkit whose headers are compiled; may be empty.
  std::string ToolkitRoot;

  std::vector<OptionRow> rows() {
    return {
        {"--arch", "sm_NN", "compile for this architecture",
         store(Architecture)},
        {"--clang", "PROGRAM", "compiler", store(Source.Clang)},
        {"--ptxas", "auto|FILE", "assembler that is compared with",
         store(Source.Ptxas)},
        {"--show", "worst|all|none", "kernels that are listed",
         storeWord(Show, {"worst", "all", "none"})},
        {"--format", "text|json", "form of the table; JSON lists all",
         storeWord(Format, {"text", "json"})},
    };
  }
};

struct RegistersRow {
  std::string File, Kernel, Name;
  size_t NumOperations = 0;
  /// From a header of the toolkit.
  bool IsOfToolkit = false;
  unsigned Estimated = 0, Assigned = 0;

  /// Signed, as a part of what ptxas assigns.
  double error() const { return double(Estimated) / double(Assigned) - 1; }
};

/// What was read under one argument.
struct RegistersSet {
  std::string Title;
  std::vector<RegistersRow> Rows;
  unsigned NumFiles = 0, NumFailed = 0;
};

} // namespace

static bool isInput(StringRef File) {
  StringRef Extension = sys::path::extension(File);
  return Extension == ".cu" || Extension == ".json";
}

static Expected<std::vector<std::string>> filesOf(StringRef Path) {
  if (!sys::fs::exists(Path))
    return createStringError("there is no file or folder '" + Path + "'");
  std::vector<std::string> Files;
  if (!sys::fs::is_directory(Path)) {
    Files.push_back(Path.str());
    return Files;
  }
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator I(Path, EC), End; I != End && !EC;
       I.increment(EC))
    if (isInput(I->path()) && sys::fs::is_regular_file(I->path()))
      Files.push_back(I->path());
  if (EC)
    return createFileError(Path, EC);
  llvm::sort(Files);
  return Files;
}

static Expected<FactsFile> readInput(StringRef File,
                                     const RegistersOptions &Options) {
  if (sys::path::extension(File) != ".json")
    return readSource(File, Options.Source);
  auto Buffer = MemoryBuffer::getFile(File, /*IsText=*/true);
  if (!Buffer)
    return createFileError(File, Buffer.getError());
  return parseFactsFile((*Buffer)->getBuffer(), File);
}

static RegistersRow rowOf(StringRef File, const KernelFacts &K,
                          const RegistersOptions &Options) {
  RegistersRow Row;
  Row.File = File.str();
  Row.Kernel = K.Demangled.empty() ? K.Name : K.Demangled;
  Row.Name = K.Name;
  Row.NumOperations = K.Operations.size();
  Row.IsOfToolkit = !Options.ToolkitRoot.empty() &&
                    StringRef(K.Place.File).starts_with(Options.ToolkitRoot);
  Row.Estimated = estimateRegisters(K, registerFileOf(K.Architecture));
  Row.Assigned = K.Resources.RegistersPerThread;
  return Row;
}

static Expected<RegistersSet> readSet(StringRef Path,
                                      const RegistersOptions &Options) {
  Expected<std::vector<std::string>> Files = filesOf(Path);
  if (!Files)
    return Files.takeError();
  RegistersSet Set;
  Set.Title = Path.str();
  for (const std::string &File : *Files) {
    Expected<FactsFile> Facts = readInput(File, Options);
    ++Set.NumFiles;
    if (!Facts) {
      errs() << "note: left out: " << toString(Facts.takeError()) << '\n';
      ++Set.NumFailed;
      continue;
    }
    for (const KernelFacts &K : Facts->Kernels)
      if (!K.Resources.IsEstimate && !K.isInIssueOrder())
        Set.Rows.push_back(rowOf(File, K, Options));
  }
  return Set;
}

static void printRows(ArrayRef<RegistersRow> Rows, size_t Most,
                      raw_ostream &OS) {
  std::vector<const RegistersRow *> Sorted;
  for (const RegistersRow &Row : Rows)
    Sorted.push_back(&Row);
  llvm::sort(Sorted, [](const RegistersRow *A, const RegistersRow *B) {
    return std::tuple(-std::fabs(A->error()), A->File, A->Kernel) <
           std::tuple(-std::fabs(B->error()), B->File, B->Kernel);
  });
  Sorted.resize(std::min(Most, Sorted.size()));
  OS << formatv("{0,9} {1,7} {2,7}  kernel\n", "estimate", "ptxas", "error");
  for (const RegistersRow *Row : Sorted)
    OS << formatv("{0,9} {1,7} {2,6:f0}%  {3} ({4})\n", Row->Estimated,
                  Row->Assigned, Row->error() * 100, Row->Kernel, Row->File);
}

namespace {
/// How far the estimates of some kernels are off, in parts of what ptxas
/// assigns.
struct RegistersSummary {
  size_t NumKernels = 0;
  double Median = 0, NineOfTen = 0, MeanSigned = 0;
  /// Kernels within RegisterEstimateError::NineOfTen.
  double ShareWithin = 0;
};
} // namespace

/// Nothing for no kernel.
static std::optional<RegistersSummary> summaryOf(ArrayRef<RegistersRow> Rows) {
  if (Rows.empty())
    return std::nullopt;
  std::vector<double> Errors;
  RegistersSummary Sum;
  for (const RegistersRow &Row : Rows) {
    Errors.push_back(std::fabs(Row.error()));
    Sum.MeanSigned += Row.error() / double(Rows.size());
  }
  Sum.NumKernels = Rows.size();
  Sum.Median = *quantile(Errors, 0.5);
  Sum.NineOfTen = *quantile(Errors, 0.9);
  Sum.ShareWithin =
      double(count_if(
          Errors,
          [](double E) { return E <= RegisterEstimateError::NineOfTen; })) /
      double(Rows.size());
  return Sum;
}

static void printSummary(StringRef Title, ArrayRef<RegistersRow> Rows,
                         raw_ostream &OS) {
  const std::optional<RegistersSummary> Sum = summaryOf(Rows);
  if (!Sum) {
    OS << Title << ": no kernel\n";
    return;
  }
  OS << formatv("{0}: {1} kernels, error median {2:f1} %, 90 % of them within "
                "{3:f1} %, within {4:f0} %: {5:f1} %, mean signed {6:f1} %\n",
                Title, Sum->NumKernels, Sum->Median * 100, Sum->NineOfTen * 100,
                RegisterEstimateError::NineOfTen * 100, 100 * Sum->ShareWithin,
                100 * Sum->MeanSigned);
}

static json::Value summaryJSON(ArrayRef<RegistersRow> Rows) {
  const std::optional<RegistersSummary> Sum = summaryOf(Rows);
  if (!Sum)
    return nullptr;
  return json::Object{{"kernels", int64_t(Sum->NumKernels)},
                      {"error_median", Sum->Median},
                      {"error_p90", Sum->NineOfTen},
                      {"share_within_p90_of_the_estimate", Sum->ShareWithin},
                      {"error_mean_signed", Sum->MeanSigned}};
}

static void writeRegisters(ArrayRef<RegistersSet> Sets,
                           ArrayRef<RegistersRow> All, json::OStream &J) {
  J.object([&] {
    J.attributeArray("kernels", [&] {
      for (const RegistersRow &Row : All)
        J.value(json::Object{{"file", Row.File},
                             {"kernel", Row.Kernel},
                             {"of_toolkit", Row.IsOfToolkit},
                             {"estimated", Row.Estimated},
                             {"assigned", Row.Assigned}});
    });
    J.attributeArray("sets", [&] {
      for (const RegistersSet &Set : Sets)
        J.value(json::Object{{"path", Set.Title},
                             {"files", Set.NumFiles},
                             {"left_out", Set.NumFailed},
                             {"summary", summaryJSON(Set.Rows)}});
    });
    J.attribute("summary", summaryJSON(All));
  });
}

Error gpuocc::runRegisters(ArrayRef<StringRef> Arguments) {
  RegistersOptions Options;
  Expected<ParsedArguments> Parsed =
      parseOrHelp(Arguments, RegistersUsage, Options.rows());
  if (!Parsed || Parsed->Help)
    return Parsed.takeError();
  if (Parsed->Positional.empty())
    return createStringError("registers needs sources; see "
                             "'gpu-occupancy-accuracy registers --help'");
  Options.Source.Architecture = Options.Architecture;
  Options.Source.ClangArguments = Parsed->Rest;
  Options.ToolkitRoot =
      findCudaToolkit(CudaToolkitPlaces::ofThisMachine()).Root;
  std::vector<RegistersSet> Sets;
  std::set<std::tuple<std::string, size_t, unsigned>> Seen;
  for (StringRef Path : Parsed->Positional) {
    Expected<RegistersSet> Set = readSet(Path, Options);
    if (!Set)
      return Set.takeError();
    // Templates of libraries are the same kernels in many programs.
    erase_if(Set->Rows, [&](const RegistersRow &R) {
      return !Seen.insert({R.Name, R.NumOperations, R.Assigned}).second;
    });
    Sets.push_back(std::move(*Set));
  }
  std::vector<RegistersRow> All;
  for (const RegistersSet &Set : Sets)
    append_range(All, Set.Rows);
  if (Options.Format == "json") {
    json::OStream J(outs(), /*IndentSize=*/1);
    writeRegisters(Sets, All, J);
    outs() << '\n';
    return Error::success();
  }
  constexpr size_t NumWorst = 40;
  if (Options.Show != "none")
    printRows(All, Options.Show == "all" ? All.size() : NumWorst, outs());
  for (const RegistersSet &Set : Sets) {
    outs() << Set.NumFiles << " files, " << Set.NumFailed << " left out; ";
    printSummary(Set.Title, Set.Rows, outs());
  }
  std::vector<RegistersRow> Own, OfToolkit;
  for (const RegistersRow &Row : All)
    (Row.IsOfToolkit ? OfToolkit : Own).push_back(Row);
  printSummary("kernels of the sources", Own, outs());
  printSummary("kernels of the toolkit's headers", OfToolkit, outs());
  printSummary("all", All, outs());
  return Error::success();
}
