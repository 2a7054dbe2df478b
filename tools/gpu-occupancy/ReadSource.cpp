//===- ReadSource.cpp - A source file to kernel facts ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadSource.h"
#include "Compiler.h"
#include "ReadDeviceModule.h"
#include "ReadPtxFile.h"
#include "driver/Assemble.h"
#include "driver/Registers.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Names of files that hold code for clang, and modules that it has compiled.
static constexpr StringLiteral SourceExtensions[] = {
    ".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c++", ".c", ".h", ".hpp"};
static constexpr StringLiteral ModuleExtensions[] = {".ll", ".bc"};
static constexpr StringLiteral PtxExtension = ".ptx";

/// The arguments with which clang compiles \p File and the plugin \p Plugin
/// writes to \p FactsPath.
static std::vector<std::string> clangArguments(StringRef File, StringRef Plugin,
                                               StringRef FactsPath,
                                               const SourceOptions &Options) {
  std::vector<std::string> Arguments = {"-x",
                                        "cuda",
                                        "--cuda-gpu-arch=" +
                                            Options.Architecture,
                                        "--cuda-device-only",
                                        "-fno-crash-diagnostics",
                                        "-S",
                                        "-O3",
                                        "-gline-tables-only",
                                        "-fno-discard-value-names",
                                        ("-fpass-plugin=" + Plugin).str(),
                                        "-o",
                                        "/dev/null"};
  auto Add = [&](std::initializer_list<std::string> More) {
    Arguments.insert(Arguments.end(), More);
  };
  Add({"-mllvm", "-gpu-occupancy-quiet", "-mllvm",
       "-gpu-occupancy-ptxas=" + Options.Ptxas, "-mllvm",
       "-gpu-occupancy-view=" + Options.View, "-mllvm",
       ("-gpu-occupancy-facts-file=" + FactsPath).str()});
  if (Options.Advise)
    Add({"-mllvm", "-gpu-occupancy-advise"});
  if (Options.BuiltBy == "nvcc") {
    Add({"-Xclang", "-plugin-arg-gpu-occupancy-launches", "-Xclang", "as-nvcc",
         "-mllvm", "-gpu-occupancy-built-by=nvcc"});
    // Unless told otherwise nvcc asks libdevice for square roots that are
    // rounded; clang 22 does not know that question.
    if (!is_contained(Options.ClangArguments, "-ffast-math"))
      Add({"-mllvm", "-nvvm-reflect-add=__CUDA_PREC_SQRT=1"});
  }
  append_range(Arguments, headerOptions());
  append_range(Arguments, Options.ClangArguments);
  Arguments.push_back(File.str());
  return Arguments;
}

Error gpuocc::checkCompiler(const SourceOptions &Options) {
  if (Expected<std::string> Clang = findClang(Options.Clang); !Clang)
    return Clang.takeError();
  return findPlugin().takeError();
}

static Expected<FactsFile> compileCuda(StringRef File,
                                       const SourceOptions &Options) {
  Expected<std::string> Clang = findClang(Options.Clang);
  if (!Clang)
    return Clang.takeError();
  Expected<std::string> Plugin = findPlugin();
  if (!Plugin)
    return Plugin.takeError();
  // Before anything is compiled.
  if (Error E = chooseAssembly(Options.Ptxas, Options.View).takeError())
    return std::move(E);
  Expected<TemporaryFile> Facts = TemporaryFile::create("gpuocc", "facts.json");
  if (!Facts)
    return Facts.takeError();
  Expected<ProcessResult> Run =
      runClang(*Clang, clangArguments(File, *Plugin, Facts->path(), Options));
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return compileProblem(*Clang, File, *Run);
  Expected<std::string> Text = Facts->read();
  if (!Text)
    return Text.takeError();
  if (Text->empty()) {
    errs() << printableLines(Run->ErrorOutput);
    return createStringError("'" + File + "' compiled without device code");
  }
  Expected<FactsFile> Read = parseFactsFile(*Text, Facts->path());
  if (Read && !Read->Problem.empty())
    return createStringError("'" + File + "': " + Read->Problem);
  errs() << printableLines(Run->ErrorOutput);
  if (Read && !Options.RegistersLog.empty())
    if (Error E = resourcesFromLog(Read->Kernels, Options.RegistersLog))
      return std::move(E);
  return Read;
}

/// Makes \p Arch what the functions of \p M are compiled for. The version of
/// PTX stays where the architecture is no newer: code may need it.
static void retarget(Module &M, StringRef Arch) {
  auto Number = [](StringRef Name) {
    unsigned Version = 0;
    Name.drop_front(3).take_while(isDigit).getAsInteger(10, Version);
    return Version;
  };
  for (Function &F : M) {
    const StringRef Old = F.getFnAttribute("target-cpu").getValueAsString();
    std::string Ptx;
    for (StringRef Feature :
         split(F.getFnAttribute("target-features").getValueAsString(), ','))
      if (Feature.starts_with("+ptx") && Number(Arch) <= Number(Old))
        Ptx = Feature.str();
    F.removeFnAttr("target-features");
    F.addFnAttr("target-cpu", Arch);
    if (!Ptx.empty())
      F.addFnAttr("target-features", Ptx);
  }
}

static Expected<FactsFile> readModuleFile(StringRef File,
                                          const SourceOptions &Options) {
  LLVMContext Context;
  SMDiagnostic Problem;
  std::unique_ptr<Module> M = parseIRFile(File, Problem, Context);
  if (!M) {
    std::string Text;
    raw_string_ostream OS(Text);
    Problem.print(/*ProgName=*/nullptr, OS, /*ShowColors=*/false);
    return createStringError(StringRef(Text).rtrim());
  }
  if (!isDeviceModule(*M))
    return createStringError("'" + File + "' is for '" +
                             M->getTargetTriple().str() +
                             "', not for an NVIDIA GPU");
  if (!Options.ModuleArchitecture.empty())
    retarget(*M, Options.ModuleArchitecture);
  Expected<std::vector<KernelFacts>> Kernels =
      readDeviceModule(*M, /*Ptx=*/"", Options);
  if (!Kernels)
    return Kernels.takeError();
  return FactsFile{M->getSourceFileName(), std::move(*Kernels), {}, ""};
}

Expected<FactsFile> gpuocc::readSource(StringRef File,
                                       const SourceOptions &Options) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(File, Status))
    return createStringError("cannot read '" + File + "': " + EC.message());
  if (!sys::fs::is_regular_file(Status))
    return createStringError("'" + File + "' is not a file");
  StringRef Extension = sys::path::extension(File);
  if (is_contained(ModuleExtensions, Extension))
    return readModuleFile(File, Options);
  if (Extension == PtxExtension)
    return readPtxFile(File, Options);
  if (!is_contained(SourceExtensions, Extension))
    return createStringError("'" + File +
                             "' is no CUDA source; its name should end in " +
                             join(ArrayRef(SourceExtensions), ", ") +
                             ", or for modules of LLVM in " +
                             join(ArrayRef(ModuleExtensions), " or ") +
                             ", or for PTX in " + PtxExtension);
  return compileCuda(File, Options);
}
