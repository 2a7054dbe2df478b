//===- ReadSource.cpp - A source file to kernel facts ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadSource.h"
#include "driver/Assemble.h"
#include "driver/Registers.h"
#include "gpuocc/ReadLLVM/DeviceTarget.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

using namespace gpuocc;
using namespace llvm;

/// A file laid beside this program by build and install: `../\p Below`.
static std::string besideProgram(StringRef Below) {
  static int Anchor = 0;
  SmallString<256> Path(
      sys::fs::getMainExecutable(nullptr, static_cast<void *>(&Anchor)));
  sys::path::remove_filename(Path);
  sys::path::append(Path, "..", Below);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

static Expected<std::string> findClang(StringRef Choice) {
  if (!Choice.empty()) {
    ErrorOr<std::string> Found = sys::findProgramByName(Choice);
    if (Found && sys::fs::can_execute(*Found))
      return *Found;
    return createStringError("there is no compiler '" + Choice + "'");
  }
  if (ErrorOr<std::string> Found =
          sys::findProgramByName("clang++", {GPUOCC_LLVM_TOOLS_DIR}))
    return *Found;
  if (ErrorOr<std::string> Found = sys::findProgramByName("clang++-22"))
    return *Found;
  return createStringError("clang++-22 was not found; install clang-22 or name "
                           "it with --clang");
}

/// Options that choose the CUDA headers.
static std::vector<std::string> headerOptions() {
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  if (Toolkit.hasHeaders()) {
    // Clang 22 warns about toolkits that are newer than it.
    std::vector<std::string> Options = {"--cuda-path=" + Toolkit.Root,
                                        "-Wno-unknown-cuda-version"};
    // From CUDA 13 on the headers of CUB and Thrust have a folder of their own,
    // which nvcc searches by itself.
    std::string CoreLibraries = Toolkit.Root + "/include/cccl";
    if (sys::fs::is_directory(CoreLibraries))
      Options.push_back("-I" + CoreLibraries);
    return Options;
  }
  return {"--config=" +
          besideProgram("share/gpu-occupancy/cuda-shim/gpuocc-cuda-shim.cfg")};
}

/// Names of files that hold code for clang, and modules that it has compiled.
static constexpr StringLiteral SourceExtensions[] = {
    ".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c++", ".c", ".h", ".hpp"};
static constexpr StringLiteral ModuleExtensions[] = {".ll", ".bc"};

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
  if (!Options.RegistersLog.empty())
    Add({"-mllvm", "-gpu-occupancy-registers-log=" + Options.RegistersLog});
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

/// Runs clang; where that fails, once more with what nvcc takes beyond it: host
/// code with its min and max, 'register', and barriers in shared memory.
static Expected<ProcessResult> runClang(StringRef Clang,
                                        ArrayRef<std::string> Command) {
  std::vector<StringRef> Arguments(Command.begin(), Command.end());
  Expected<ProcessResult> Run = runProcess(Clang, Arguments);
  if (!Run || Run->Status == 0)
    return Run;
  const std::string Host =
      besideProgram("share/gpu-occupancy/cuda-shim/include/gpuocc_nvcc_host.h");
  Arguments.insert(std::prev(Arguments.end()),
                   {"-Wno-register", "-include", Host, "-Xclang",
                    "-plugin-arg-gpu-occupancy-launches", "-Xclang",
                    "take-shared-barriers"});
  Expected<ProcessResult> Again = runProcess(Clang, Arguments);
  // What clang says without them is what the user wrote.
  return Again && Again->Status != 0 ? std::move(Run) : std::move(Again);
}

static Expected<std::string> findPlugin() {
  std::string Plugin = besideProgram("lib/GpuOccupancy.so");
  if (!sys::fs::exists(Plugin))
    return createStringError("the plugin '" + Plugin + "' is missing");
  return Plugin;
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
  Expected<TemporaryFile> Facts = TemporaryFile::create("gpuocc", "facts.json");
  if (!Facts)
    return Facts.takeError();
  Expected<ProcessResult> Run =
      runClang(*Clang, clangArguments(File, *Plugin, Facts->path(), Options));
  if (!Run)
    return Run.takeError();
  errs() << Run->ErrorOutput;
  if (Run->Status != 0)
    return createStringError("'" + File + "' does not compile");
  Expected<std::string> Text = Facts->read();
  if (!Text)
    return Text.takeError();
  if (Text->empty())
    return createStringError("'" + File + "' compiled without device code");
  return parseFactsFile(*Text, Facts->path());
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
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  Expected<std::unique_ptr<TargetMachine>> TM = createDeviceTarget(*M);
  if (!TM)
    return TM.takeError();
  Expected<AssemblyPrograms> Programs =
      chooseAssembly(Options.Ptxas, Options.View);
  if (!Programs)
    return Programs.takeError();
  if (!Programs->Note.empty())
    errs() << "note: " << Programs->Note << '\n';
  ReadOptions Read;
  Read.WantPtx = Programs->wantsPtx();
  Read.WantOrigins = Programs->wantsMachineCode();
  Read.Registers = registerFileOf((*TM)->getTargetCPU());
  ModuleFacts Facts = readModule(*M, **TM, Read);
  if (Programs->wantsPtx() && !Facts.Kernels.empty()) {
    assembleKernels(Facts.Kernels, *Programs, Facts.Ptx);
    if (Options.Advise)
      assembleUnderLimits(Facts.Kernels, Programs->Ptxas, Facts.Ptx);
  }
  if (!Options.RegistersLog.empty())
    if (Error E = resourcesFromLog(Facts.Kernels, Options.RegistersLog))
      return std::move(E);
  return FactsFile{M->getSourceFileName(), std::move(Facts.Kernels), {}};
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
  if (!is_contained(SourceExtensions, Extension))
    return createStringError("'" + File +
                             "' is no CUDA source; its name should end in " +
                             join(ArrayRef(SourceExtensions), ", ") +
                             ", or for modules of LLVM in " +
                             join(ArrayRef(ModuleExtensions), " or "));
  return compileCuda(File, Options);
}
