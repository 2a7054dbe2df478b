//===- ReadSource.cpp - A source file to kernel facts ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReadSource.h"
#include "ClangDeclarations.h"
#include "Compiler.h"
#include "KnownFacts.h"
#include "LookedUpFiles.h"
#include "NvccCode.h"
#include "OpenCl.h"
#include "ReadBinary.h"
#include "ReadDeviceModule.h"
#include "ReadMlirFile.h"
#include "ReadPtxFile.h"
#include "driver/Assemble.h"
#include "driver/CompilerMessages.h"
#include "driver/Registers.h"
#include "gpuocc/ReadLLVM/ReadModule.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Support/RunInSubprocess.h"
#include "gpuocc/Support/ThreadBeside.h"
#include "gpuocc/Toolchain/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

/// Names of files that hold code for clang, and modules that it has compiled.
static constexpr StringLiteral SourceExtensions[] = {
    ".cu", ".cuh", ".cpp", ".cc", ".cxx", ".c++", ".c", ".h", ".hpp", ".cl"};
static constexpr StringLiteral ModuleExtensions[] = {".ll", ".bc"};
static constexpr StringLiteral PtxExtension = ".ptx";

void SourceOptions::add(const TranslatedArguments &More) {
  append_range(NvccArguments, More.Nvcc);
  for (const std::string &Word : More.Ptxas)
    if (!is_contained(PtxasArguments, Word))
      PtxasArguments.push_back(Word);
  RegisterLimit = More.MaxRegisters.value_or(RegisterLimit);
}

/// Options of the language of \p File.
static Expected<std::vector<std::string>>
languageOptions(StringRef File, const SourceOptions &Options) {
  if (isOpenCl(File))
    return openClOptions(Options.Architecture);
  std::vector<std::string> Cuda = {"-x", "cuda",
                                   "--cuda-gpu-arch=" + Options.Architecture,
                                   "--cuda-device-only"};
  auto Add = [&](std::initializer_list<std::string> More) {
    Cuda.insert(Cuda.end(), More);
  };
  if (Options.BuiltBy == "nvcc") {
    Add({"-Xclang", "-plugin-arg-gpu-occupancy-launches", "-Xclang", "as-nvcc",
         "-mllvm", "-gpu-occupancy-built-by=nvcc"});
    // Unless told otherwise nvcc asks libdevice for square roots that are
    // rounded; clang 22 does not know that question.
    if (!is_contained(Options.ClangArguments, "-ffast-math"))
      Add({"-mllvm", "-nvvm-reflect-add=__CUDA_PREC_SQRT=1"});
  }
  append_range(Cuda, headerOptions());
  return Cuda;
}

/// Options of every compilation that change what headers say.
static const std::vector<std::string> &commonOptions() {
  static const std::vector<std::string> Options = {
      "-fno-crash-diagnostics", "-S", "-O3", "-gline-tables-only",
      "-fno-discard-value-names"};
  return Options;
}

/// The arguments with which clang compiles \p File and the plugin \p Plugin
/// writes to \p FactsPath.
static Expected<std::vector<std::string>>
clangArguments(StringRef File, StringRef Plugin, StringRef FactsPath,
               const SourceOptions &Options) {
  Expected<std::vector<std::string>> Language = languageOptions(File, Options);
  if (!Language)
    return Language.takeError();
  std::vector<std::string> Arguments = commonOptions();
  auto Add = [&](std::initializer_list<std::string> More) {
    Arguments.insert(Arguments.end(), More);
  };
  Add({("-fpass-plugin=" + Plugin).str(), "-o", "/dev/null"});
  Add({"-mllvm", "-gpu-occupancy-quiet", "-mllvm",
       "-gpu-occupancy-ptxas=" + Options.Ptxas, "-mllvm",
       "-gpu-occupancy-view=" + Options.View, "-mllvm",
       ("-gpu-occupancy-facts-file=" + FactsPath).str()});
  if (Options.Advise)
    Add({"-mllvm", "-gpu-occupancy-advise"});
  for (Mechanism M : Options.Used.leftOut())
    Add({"-mllvm", ("-gpu-occupancy-without=" + mechanismInfo(M).Key).str()});
  if (Options.RegisterLimit != 0)
    Add({"-mllvm", "-gpu-occupancy-maxrregcount=" +
                       std::to_string(Options.RegisterLimit)});
  append_range(Arguments, *Language);
  append_range(Arguments, Options.ClangArguments);
  Arguments.push_back(File.str());
  return Arguments;
}

Error gpuocc::checkCompiler(const SourceOptions &Options) {
  if (Expected<std::string> Clang = findClang(Options.Clang); !Clang)
    return Clang.takeError();
  return findPlugin().takeError();
}

static Expected<FactsFile> readFactsFile(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createStringError("cannot read '" + Path +
                             "': " + Buffer.getError().message());
  return parseFactsFile((*Buffer)->getBuffer(), Path);
}

/// Options of clang that decide what \p File includes: those of every
/// compilation, of the language, and the user's.
static Expected<std::vector<std::string>>
optionsOfHeaders(StringRef File, const SourceOptions &Options) {
  Expected<std::vector<std::string>> Language = languageOptions(File, Options);
  if (!Language)
    return Language;
  std::vector<std::string> All = commonOptions();
  append_range(All, *Language);
  append_range(All, Options.ClangArguments);
  return All;
}

/// Writes the dependence file of a source that is wrong, where one is asked
/// for. An editor has texts that are no files.
static void noteFilesOfFailure(StringRef Clang, StringRef File,
                               const ProcessResult &Run,
                               const SourceOptions &Options) {
  if (!Options.Shortcuts.Buffers.empty() ||
      !Options.Shortcuts.Preambles.empty() || !isErrorInSource(Run.ErrorOutput))
    return;
  Expected<std::vector<std::string>> OfHeaders =
      optionsOfHeaders(File, Options);
  if (OfHeaders)
    noteLookedUpFiles(Clang, *OfHeaders, File);
  else
    consumeError(OfHeaders.takeError());
}

static Expected<FactsFile> compileWithClang(StringRef File,
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
  const SourceShortcuts &Shortcuts = Options.Shortcuts;
  auto ForArchitecture = [&](StringRef Path) {
    return Path.empty() ? "" : (Path + "." + Options.Architecture).str();
  };
  const std::string Kept = ForArchitecture(Shortcuts.KeptFacts);
  if (!Kept.empty() && sys::fs::exists(Kept))
    return readFactsFile(Kept);
  Expected<TemporaryFile> Facts = TemporaryFile::create("gpuocc", "facts.json");
  if (!Facts)
    return Facts.takeError();
  Expected<std::vector<std::string>> Arguments =
      clangArguments(File, *Plugin, Facts->path(), Options);
  if (!Arguments)
    return Arguments.takeError();
  const std::string Known = ForArchitecture(Shortcuts.KnownFacts);
  const std::string Fingerprint =
      Known.empty() ? "" : fingerprintOfFacts(Known, *Arguments);
  if (!Known.empty() || !Kept.empty())
    Arguments->insert(Arguments->begin(),
                      {"-mllvm", KnownModuleOption.str() + Fingerprint});
  Expected<ProcessResult> Run = runClangWith(Shortcuts, *Clang, *Arguments);
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    noteFilesOfFailure(*Clang, File, *Run, Options);
  if (Run->Status != 0)
    return compileProblem(*Clang, File, *Run);
  if (Shortcuts.BuildsPreamble)
    return FactsFile();
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
  if (Read && !Fingerprint.empty() && Read->MadeOf == Fingerprint) {
    Expected<FactsFile> Earlier = readFactsFile(Known);
    if (!Earlier)
      return Earlier.takeError();
    Read->Kernels = std::move(Earlier->Kernels);
  }
  if (Read && !Kept.empty()) {
    auto Write = [&](raw_ostream &OS) {
      writeFactsFile(*Read, OS);
      return Error::success();
    };
    if (Error E = writeOutput(Kept, Write))
      return std::move(E);
    if (Error E = noteFingerprint(Kept, *Arguments, *Read))
      return std::move(E);
  }
  if (Read && !Options.RegistersLog.empty())
    if (Error E = resourcesFromLog(Read->Kernels, Options.RegistersLog))
      return std::move(E);
  return Read;
}

static Expected<FactsFile> compileWithNvcc(StringRef Nvcc, StringRef File,
                                           const SourceOptions &Options) {
  Expected<std::string> Ptx = ptxByNvcc(Nvcc, File, Options);
  if (Ptx)
    return readNvccPtx(*Ptx, File, Options);
  const std::string Why = toString(Ptx.takeError());
  const std::optional<SourceOptions> WithFeatures =
      withFeaturesOfOne(Why, Options);
  if (!WithFeatures)
    return createStringError(Why);
  Ptx = ptxByNvcc(Nvcc, File, *WithFeatures);
  if (!Ptx) {
    consumeError(Ptx.takeError());
    return createStringError(Why);
  }
  errs() << "note: '" << printable(File) << "' is compiled for "
         << WithFeatures->Architecture << ", since " << Options.Architecture
         << " lacks instructions of it\n";
  return readNvccPtx(*Ptx, File, *WithFeatures);
}

/// Tells of what clang did not understand where nothing that it understood
/// launches a kernel.
static void noteErrors(StringRef File, const FactsFile &Declared) {
  if (!Declared.Problem.empty() && Declared.Launches.empty())
    errs() << MissingLaunchesNote << " '" << printable(File)
           << "' may be missing, since clang does not understand all of it: "
           << printable(Declared.Problem) << '\n';
}

/// The name of the file, without its folders, and the line of an error of a
/// compiler: "src/k.cu:3:7: error:" is of "k.cu(3)".
static std::string placeOf(StringRef CompilerError) {
  SmallVector<StringRef, 3> Found;
  if (!Regex("^(.+)[:(]([0-9]+)(:[0-9]+|\\)): (fatal )?error: ")
           .match(CompilerError, &Found))
    return "";
  return (sys::path::filename(Found[1]) + "(" + Found[2] + ")").str();
}

/// \p ByClang, why clang does not compile a source, after what \p ByNvcc says
/// about another line: a build by nvcc fails there.
static Error withReasonOfNvcc(Error ByClang, StringRef ByNvcc) {
  return handleErrors(std::move(ByClang), [&](const CompilerMessages &Clang) {
    const bool IsSame = placeOf(firstCompilerError(Clang.messages())) ==
                        placeOf(firstCompilerError(ByNvcc));
    return make_error<CompilerMessages>(
        IsSame || !isErrorInSource(ByNvcc)
            ? Clang.messages().str()
            : (ByNvcc + "\n" + Clang.messages()).str(),
        Clang.why().str());
  });
}

static Expected<FactsFile> compileCuda(StringRef File,
                                       const SourceOptions &Options) {
  if (isOpenCl(File))
    return compileWithClang(File, Options);
  Expected<std::string> Nvcc = chooseNvcc(Options);
  if (!Nvcc)
    return Nvcc.takeError();
  if (Nvcc->empty())
    return compileWithClang(File, Options);
  std::optional<Expected<FactsFile>> Declared;
  ThreadBeside Declaring(
      [&] { Declared.emplace(readDeclarations(File, Options)); });
  Expected<FactsFile> Read = compileWithNvcc(*Nvcc, File, Options);
  Declaring.join();
  if (Read) {
    if (*Declared) {
      noteErrors(File, **Declared);
      takeDeclarations(*Read, std::move(**Declared));
    } else
      errs() << "note: launches in host code of '" << printable(File)
             << "' are not known, since clang cannot read it: "
             << printable(toString(Declared->takeError())) << '\n';
    return Read;
  }
  consumeError(Declared->takeError());
  std::string Why = toString(Read.takeError());
  if (Options.Code == "nvcc")
    return createStringError("nvcc cannot compile '" + File + "': " + Why);
  Expected<FactsFile> ByClang = compileWithClang(File, Options);
  if (!ByClang)
    return withReasonOfNvcc(ByClang.takeError(), Why);
  errs() << "note: '" << printable(File)
         << "' is read as clang compiles it, since nvcc does not: "
         << printable(Why) << '\n';
  return ByClang;
}

/// Makes \p Arch what the functions of \p M are compiled for. The version of
/// PTX stays where the architecture is no newer: code may need it.
static void retarget(Module &M, StringRef Arch) {
  for (Function &F : M) {
    const StringRef Old = F.getFnAttribute("target-cpu").getValueAsString();
    std::string Ptx;
    for (StringRef Feature :
         split(F.getFnAttribute("target-features").getValueAsString(), ','))
      if (Feature.starts_with("+ptx") &&
          architectureNumber(Arch) <= architectureNumber(Old))
        Ptx = Feature.str();
    F.removeFnAttr("target-features");
    F.addFnAttr("target-cpu", Arch);
    if (!Ptx.empty())
      F.addFnAttr("target-features", Ptx);
  }
}

/// What readModuleFile() does, in a process whose end is no loss.
static Expected<FactsFile> readModuleHere(StringRef File,
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
  std::string Wrong;
  raw_string_ostream OS(Wrong);
  if (verifyModule(*M, &OS))
    return createStringError("'" + File + "' is no valid module: " +
                             StringRef(Wrong).split('\n').first);
  if (!isDeviceModule(*M))
    return createStringError("'" + File + "' is for '" +
                             M->getTargetTriple().str() +
                             "', not for an NVIDIA GPU");
  if (!Options.ModuleArchitecture.empty())
    retarget(*M, Options.ModuleArchitecture);
  Expected<ModuleFacts> Read = readDeviceModule(*M, /*Ptx=*/"", Options);
  if (!Read)
    return Read.takeError();
  return FactsFile{M->getSourceFileName(),
                   std::move(Read->Kernels),
                   {},
                   std::move(Read->Problem),
                   ""};
}

/// The readers of LLVM end the process for much of what is wrong with a module.
static Expected<FactsFile> readModuleFile(StringRef File,
                                          const SourceOptions &Options) {
  constexpr char IsFacts = 'f', IsProblem = 'p';
  Expected<std::string> Answer = runInSubprocess([&](raw_ostream &OS) {
    Expected<FactsFile> Read = readModuleHere(File, Options);
    OS << (Read ? IsFacts : IsProblem);
    if (Read)
      writeFactsFile(*Read, OS);
    else
      OS << toString(Read.takeError());
  });
  if (!Answer)
    return createStringError(
        "'" + File +
        "' is no module that LLVM can read: " + toString(Answer.takeError()));
  StringRef Text = *Answer;
  if (Text.consume_front(StringRef(&IsProblem, 1)))
    return createStringError(Text);
  return parseFactsFile(Text.drop_front(), File);
}

Expected<FactsFile> gpuocc::readSource(StringRef File,
                                       const SourceOptions &Options) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(File, Status))
    return createStringError("cannot read '" + File + "': " + EC.message());
  if (!sys::fs::is_regular_file(Status))
    return createStringError("'" + File + "' is not a file");
  // Programs read such names as options, or as files of options.
  if (File.starts_with("@") || File.starts_with("-"))
    return readSource(("./" + File).str(), Options);
  StringRef Extension = sys::path::extension(File);
  if (is_contained(ModuleExtensions, Extension))
    return readModuleFile(File, Options);
  if (Extension == PtxExtension)
    return readPtxFile(File, Options);
  if (isMlir(File))
    return readMlirFile(File, Options);
  if (!is_contained(SourceExtensions, Extension) && isBinaryWithCode(File))
    return readBinaryFile(File, Options);
  if (Extension == ".json")
    return createStringError("'" + File +
                             "' is no source; 'diff', 'compare' and 'check "
                             "--baseline' read reports");
  if (!is_contained(SourceExtensions, Extension))
    return createStringError(
        "'" + File + "' is no CUDA source; its name should end in " +
        join(ArrayRef(SourceExtensions), ", ") +
        ", or for modules of LLVM in " +
        join(ArrayRef(ModuleExtensions), " or ") +
        ", for MLIR in .mlir, or for PTX in " + PtxExtension);
  return compileCuda(File, Options);
}

Expected<std::vector<KernelFacts>>
gpuocc::readKernels(ArrayRef<std::string> Files, const SourceOptions &Options) {
  std::vector<KernelFacts> Kernels;
  std::vector<std::string> CudaFiles;
  for (const std::string &File : Files) {
    if (sys::path::extension(File) != ".cu")
      continue;
    CudaFiles.push_back(File);
    Expected<FactsFile> Facts = readSource(File, Options);
    if (!Facts)
      return Facts.takeError();
    append_range(Kernels, std::move(Facts->Kernels));
  }
  linkKernels(CudaFiles, Kernels, Options);
  return Kernels;
}
