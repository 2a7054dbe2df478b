//===- HostProgram.cpp - The host part of a program, built and run --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "Compiler.h"
#include "NvccCode.h"
#include "driver/RecordedSpec.h"
#include "execute/ExecuteInterface.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/ReadPtx/LiftPtx.h"
#include "gpuocc/ReadPtx/ParsePtx.h"
#include "gpuocc/Support/Architecture.h"
#include "gpuocc/Support/Plural.h"
#include "gpuocc/Toolchain/GuardedProgram.h"
#include "gpuocc/Toolchain/LinkHost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

using namespace gpuocc;
using namespace llvm;

/// What makes clang take the C of old programs, which nvcc passes to gcc.
static constexpr StringLiteral OldC[] = {
    "-std=gnu17", "-Wno-implicit-int", "-Wno-implicit-function-declaration",
    "-Wno-int-conversion", "-Wno-incompatible-function-pointer-types"};

/// The version of CUDA from which on clang emits the launches that the recorder
/// knows; it is told so where no toolkit says.
static constexpr StringLiteral LaunchVersion = "-target-sdk-version=12.8";

/// Files that are compiled with each program, or laid beside them.
static std::string recorderFile(StringRef Name) {
  return besideProgram(("share/gpu-occupancy/launch-recorder/" + Name).str());
}

/// For the C that CUDA sources are linked with.
static std::vector<std::string> argumentsForC(const SourceOptions &Options) {
  std::vector<std::string> Arguments = {"-x", "c"};
  append_range(Arguments, OldC);
  if (const std::string Root = toolkitOfHeaders(); !Root.empty())
    Arguments.push_back("-I" + Root + "/include");
  for (StringRef Argument : Options.ClangArguments)
    if (!Argument.starts_with("-std="))
      Arguments.push_back(Argument.str());
  return Arguments;
}

static std::vector<std::string> argumentsForCuda(StringRef Plugin,
                                                 StringRef DeviceCode,
                                                 const SourceOptions &Options) {
  // Kernels are registered by name only where there is device code to register.
  std::vector<std::string> Arguments = {"-x",
                                        "cuda",
                                        "--cuda-host-only",
                                        "--cuda-gpu-arch=" +
                                            Options.Architecture,
                                        ("-fpass-plugin=" + Plugin).str(),
                                        "-Xclang",
                                        "-fcuda-include-gpubinary",
                                        "-Xclang",
                                        DeviceCode.str()};
  if (toolkitOfHeaders().empty())
    Arguments.insert(Arguments.end(), {"-Xclang", LaunchVersion.str()});
  append_range(Arguments, headerOptions());
  // Relocatable device code is registered by a device linker, which is not
  // asked: the kernels of each file are registered by name.
  for (StringRef Option : Options.ClangArguments)
    if (Option != "-fgpu-rdc")
      Arguments.push_back(Option.str());
  return Arguments;
}

static std::vector<std::string> hostArguments(StringRef File, StringRef Object,
                                              StringRef Plugin,
                                              StringRef DeviceCode,
                                              const SourceOptions &Options) {
  std::vector<std::string> Arguments = {
      // Old programs count on numbers that wrap around.
      "-fwrapv",    "-fno-strict-aliasing",
      "-c",         "-O2",
      "-w",         "-o",
      Object.str(), "-I" + recorderFile("include-first")};
  append_range(Arguments, sys::path::extension(File) == ".c"
                              ? argumentsForC(Options)
                              : argumentsForCuda(Plugin, DeviceCode, Options));
  // Behind the compiler's own.
  Arguments.insert(Arguments.end(),
                   {"-idirafter", recorderFile("include"), File.str()});
  return Arguments;
}

/// The arguments with which clang makes the bitcode of the kernels of \p File.
static std::vector<std::string> deviceArguments(StringRef File,
                                                StringRef Bitcode,
                                                const SourceOptions &Options) {
  // A variable that one lane sets goes into a shuffle of all: nvcc does not
  // take that to mean that all set it.
  std::vector<std::string> Arguments = {"-x",
                                        "cuda",
                                        "--cuda-device-only",
                                        "-emit-llvm",
                                        "-c",
                                        "--cuda-gpu-arch=" +
                                            Options.Architecture,
                                        "-O2",
                                        "-w",
                                        "-gline-tables-only",
                                        "-Xclang",
                                        "-no-enable-noundef-analysis",
                                        "-o",
                                        Bitcode.str(),
                                        "-include",
                                        clusterDimsHeader()};
  append_range(Arguments, headerOptions());
  append_range(Arguments, Options.ClangArguments);
  Arguments.push_back(File.str());
  return Arguments;
}

/// What makes the host code of \p File with nvcc, as the program is built: an
/// object that registers its kernels by nvcc's names, with PTX in it that
/// nobody assembles.
static std::vector<std::string> nvccArguments(StringRef File, StringRef Object,
                                              const SourceOptions &Options) {
  StringRef Version = Options.Architecture;
  Version.consume_front("sm_");
  std::vector<std::string> Arguments = {
      "-c", "-w", "-x", "cu",
      ("--generate-code=arch=compute_" + Version + ",code=compute_" + Version)
          .str(),
      "-o", Object.str(), "-I" + recorderFile("include-first"),
      // A list to nvcc, and one option to the compiler.
      "-Xcompiler=-idirafter," + recorderFile("include")};
  for (const std::string &Option : Options.NvccArguments)
    // Objects are linked without a device linker.
    if (!StringRef(Option).starts_with("--relocatable-device-code"))
      Arguments.push_back(Option);
  Arguments.push_back(File.str());
  return Arguments;
}

/// What the recorder is told of the device: names as in
/// tools/launch-recorder/RuntimeDevice.cpp.
static std::string deviceNumbers(const DeviceModel &Device,
                                 const ArchLimits &Limits) {
  std::string Text;
  raw_string_ostream OS(Text);
  auto Add = [&](StringRef Name, double Value) {
    OS << Name << '=' << int64_t(Value) << ' ';
  };
  auto AddLimit = [&](StringRef Name, std::optional<unsigned> Limit) {
    if (Limit)
      Add(Name, *Limit);
  };
  auto AddQuantity = [&](StringRef Name, Quantity Q, double Factor = 1) {
    if (Known<double> Value = Device.get(Q))
      Add(Name, *Value * Factor);
  };
  const unsigned Capability = architectureNumber(Limits.Name);
  Add("capability", Capability);
  Add("capability_major", Capability / 10);
  Add("capability_minor", Capability % 10);
  AddLimit("threads_per_block", Limits.MaxThreadsPerBlock);
  AddLimit("threads_per_sm", Limits.MaxThreadsPerSm);
  AddLimit("blocks_per_sm", Limits.MaxBlocksPerSm);
  AddLimit("registers_per_sm", Limits.RegistersPerSm);
  AddLimit("shared_bytes_per_sm", Limits.SharedBytesPerSm);
  AddLimit("shared_bytes_per_block", Limits.SharedBytesPerBlock);
  AddLimit("shared_bytes_per_block_optin", Limits.SharedBytesPerBlockOptin);
  AddLimit("reserved_shared_bytes", Limits.ReservedSharedBytesPerBlock);
  AddLimit("shared_unit_bytes", Limits.SharedAllocationUnit);
  AddLimit("cluster_blocks", Limits.MaxClusterBlocks);
  AddQuantity("multiprocessors", Quantity::SmCount);
  AddQuantity("l2_bytes", Quantity::L2Bytes);
  AddQuantity("memory_bytes", Quantity::DramBytes);
  AddQuantity("clock_khz", Quantity::SmClockMhz, 1000);
  AddQuantity("memory_clock_khz", Quantity::MemoryClockMhz, 1000);
  // The same for all devices that CUDA supports.
  OS << "warp_lanes=32 block_z=64 grid_x=2147483647 grid_yz=65535 "
        "constant_bytes=65536 cuda_version=13000";
  return Text;
}

/// The line of \p Text, of a compiler, that says what is wrong.
static StringRef firstError(StringRef Text) {
  for (StringRef Line : split(Text, '\n'))
    if (Line.contains("error:"))
      return Line;
  return Text.split('\n').first;
}

namespace {

/// Files that go away when the program has run.
struct Workshop {
  std::deque<TemporaryFile> Files;

  /// The path of a new file with \p Text in it.
  Expected<StringRef> create(StringRef Suffix, StringRef Text = "") {
    Expected<TemporaryFile> File = TemporaryFile::create("gpuocc", Suffix);
    if (!File)
      return File.takeError();
    if (Error E = File->write(Text))
      return std::move(E);
    return Files.emplace_back(std::move(*File)).path();
  }
};

/// Builds one program.
class HostBuilder {
public:
  HostBuilder(const HostSources &Sources, Workshop &Shop,
              std::vector<std::string> &Notes)
      : Options(Sources.Options), Spare(Sources.Spare),
        LeavesOut(Sources.LeavesOut), Executes(Sources.Executes),
        CountsExecuted(Sources.CountsExecuted), Shop(Shop), Notes(Notes) {}

  /// The path of the program of \p Files.
  Expected<StringRef> build(ArrayRef<std::string> Files);

private:
  Error compile(StringRef File);
  /// Compiles \p File, and where kernels run their code, with clang.
  Error compileWithClang(StringRef File, StringRef Object,
                         const SourceOptions &With);
  /// The file whose bytes the object of \p File carries as its device code.
  Expected<StringRef> deviceCodeOf(StringRef File, const SourceOptions &With);
  /// Compiles the CUDA source \p File with nvcc; why not where that fails.
  Error compileWithNvcc(StringRef File, StringRef Object,
                        const SourceOptions &With);
  /// The code that nvcc makes of \p File, in bitcode, with the names that
  /// kernels have in \p ByClang.
  Expected<std::string> bitcodeByNvcc(StringRef File, MemoryBufferRef ByClang);
  /// Has the program register \p Code, where \p Bitcode has neither kernels nor
  /// variables and the compiler registers nothing.
  Error registerFunctions(StringRef Bitcode, StringRef Code);
  /// Compiles \p Text, plain C of our own.
  Error compileOwn(StringRef Text);
  Error compileAll(ArrayRef<std::string> Files);
  /// Adds what defines or stands for \p Missing.
  Error supply(ArrayRef<std::string> Missing);
  /// The first spare source that uses or defines \p Symbol.
  std::optional<std::string> takeSpare(StringRef Symbol);

  const SourceOptions &Options;
  std::vector<std::string> Spare;
  bool LeavesOut;
  bool Executes;
  bool CountsExecuted;
  Workshop &Shop;
  /// Takes what a user should know.
  std::vector<std::string> &Notes;
  std::string Clang, Plugin;
  /// Empty where clang makes the host code.
  std::string Nvcc;
  StringRef DeviceCode;
  std::vector<std::string> Inputs;
};

} // namespace

Error HostBuilder::compileWithNvcc(StringRef File, StringRef Object,
                                   const SourceOptions &With) {
  const std::vector<std::string> Arguments = nvccArguments(File, Object, With);
  std::vector<std::string> GoingOn = Arguments;
  GoingOn.insert(GoingOn.end() - 1, {"-include", recorderFile("GoesOn.h")});
  // The second for code with other functions called exit, the third for
  // programs of older toolkits.
  std::vector<std::string> Older = Arguments;
  Older.insert(Older.end() - 1, {"-include", removedCudaHeader()});
  std::string Problem;
  for (const std::vector<std::string> &Choice : {GoingOn, Arguments, Older}) {
    Expected<ProcessResult> Run = runProcess(
        Nvcc, SmallVector<StringRef, 32>(Choice.begin(), Choice.end()));
    if (!Run)
      return Run.takeError();
    if (Run->Status == 0)
      return Error::success();
    // From CUDA 13 on, nvcc has PTX checked that nobody assembles.
    if (std::optional<SourceOptions> WithFeatures =
            withFeaturesOfOne(Run->ErrorOutput, With))
      return compileWithNvcc(File, Object, *WithFeatures);
    Problem = firstError(Run->ErrorOutput);
  }
  return createStringError(Problem);
}

Error HostBuilder::compileOwn(StringRef Text) {
  Expected<StringRef> Source = Shop.create("c", Text);
  if (!Source)
    return Source.takeError();
  Expected<StringRef> Object = Shop.create("o");
  if (!Object)
    return Object.takeError();
  Expected<ProcessResult> Run =
      runProcess(Clang, {"-x", "c", "-c", "-w", "-O1", "-o", *Object, *Source});
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return createStringError("the functions that do nothing do not compile: " +
                             firstError(Run->ErrorOutput));
  Inputs.push_back(Object->str());
  return Error::success();
}

Error HostBuilder::compile(StringRef File) {
  Expected<StringRef> Object = Shop.create("o");
  if (!Object)
    return Object.takeError();
  // What runs is the device code that clang makes.
  if (!Nvcc.empty() && !Executes && sys::path::extension(File) == ".cu") {
    Error ByNvcc = compileWithNvcc(File, *Object, Options);
    if (!ByNvcc) {
      Inputs.push_back(Object->str());
      return Error::success();
    }
    if (Options.Code == "nvcc")
      return createStringError("nvcc cannot compile the host code of '" + File +
                               "': " + toString(std::move(ByNvcc)));
    consumeError(std::move(ByNvcc));
  }
  Error AsItIs = compileWithClang(File, *Object, Options);
  if (!AsItIs) {
    Inputs.push_back(Object->str());
    return Error::success();
  }
  // Some code has functions for both sides only where nvcc compiles it.
  SourceOptions AsNvcc = Options;
  AsNvcc.ClangArguments.insert(AsNvcc.ClangArguments.begin(), "-D__NVCC__");
  if (Error E = compileWithClang(File, *Object, AsNvcc)) {
    consumeError(std::move(E));
    return AsItIs;
  }
  consumeError(std::move(AsItIs));
  Inputs.push_back(Object->str());
  return Error::success();
}

Error HostBuilder::compileWithClang(StringRef File, StringRef Object,
                                    const SourceOptions &With) {
  Expected<StringRef> Carried = deviceCodeOf(File, With);
  if (!Carried)
    return Carried.takeError();
  std::vector<std::string> Arguments =
      hostArguments(File, Object, Plugin, *Carried, With);
  // Programs whose kernels do nothing find their results wrong, and give up.
  // There may be other functions called exit.
  std::vector<std::vector<std::string>> Choices;
  if (!Executes) {
    Choices.push_back(Arguments);
    Choices.back().insert(Choices.back().end() - 1,
                          {"-include", recorderFile("GoesOn.h")});
  }
  Choices.push_back(Arguments);
  std::string Problem;
  for (const std::vector<std::string> &Choice : Choices) {
    Expected<ProcessResult> Run = runClang(Clang, Choice);
    if (!Run)
      return Run.takeError();
    if (Run->Status == 0)
      return Error::success();
    Problem = firstError(Run->ErrorOutput);
  }
  return createStringError("the host code of '" + File +
                           "' does not compile: " + Problem);
}

/// Has \p Bitcode what makes the compiler register it?
static Expected<bool> isRegistered(MemoryBufferRef Bitcode) {
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> M = getLazyBitcodeModule(Bitcode, Context);
  if (!M)
    return M.takeError();
  return any_of(**M,
                [](const Function &F) {
                  return F.getCallingConv() == CallingConv::PTX_Kernel;
                }) ||
         any_of((*M)->globals(), [](const GlobalVariable &V) {
           return V.isExternallyInitialized();
         });
}

Error HostBuilder::registerFunctions(StringRef Bitcode, StringRef Code) {
  Expected<bool> ByCompiler = isRegistered(MemoryBufferRef(Bitcode, Code));
  if (!ByCompiler)
    return ByCompiler.takeError();
  if (*ByCompiler)
    return Error::success();
  return compileOwn(
      ("__asm__(\".section .rodata\\n.p2align 4\\ngpuoccCode: .incbin "
       "\\\"" +
       Code +
       "\\\"\\n.text\\n\");\n"
       "extern const char gpuoccCode[];\n"
       "void **__cudaRegisterFatBinary(void *);\n"
       "void __cudaRegisterFatBinaryEnd(void **);\n"
       "static struct { int Magic, Version; const void *Data, *Name; } Code;\n"
       "__attribute__((constructor)) static void add(void) {\n"
       "  Code.Data = gpuoccCode;\n"
       "  __cudaRegisterFatBinaryEnd(__cudaRegisterFatBinary(&Code));\n"
       "}\n")
          .str());
}

Expected<std::string> HostBuilder::bitcodeByNvcc(StringRef File,
                                                 MemoryBufferRef ByClang) {
  Expected<std::string> Text = ptxByNvcc(Nvcc, File, Options);
  if (!Text)
    return Text;
  Expected<PtxModule> Ptx = parsePtx(*Text, File);
  if (!Ptx)
    return Ptx.takeError();
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> Lifted =
      liftPtx(*Ptx, Context, LiftedFor::Running);
  if (!Lifted)
    return Lifted.takeError();
  Expected<std::unique_ptr<Module>> Named =
      getLazyBitcodeModule(ByClang, Context);
  if (!Named)
    return Named.takeError();
  StringMap<std::string> Names;
  for (const Function &F : **Named)
    if (F.getCallingConv() == CallingConv::PTX_Kernel)
      Names[comparableName(F.getName())] = F.getName().str();
  for (Function &F : **Lifted)
    if (auto It = Names.find(comparableName(F.getName()));
        It != Names.end() && F.getCallingConv() == CallingConv::PTX_Kernel)
      F.setName(It->getValue());
  std::string Bitcode;
  raw_string_ostream OS(Bitcode);
  WriteBitcodeToFile(**Lifted, OS);
  return Bitcode;
}

Expected<StringRef> HostBuilder::deviceCodeOf(StringRef File,
                                              const SourceOptions &With) {
  // Nothing looks into it where kernels do not run.
  if (!Executes || sys::path::extension(File) == ".c")
    return DeviceCode;
  Expected<StringRef> Bitcode = Shop.create("bc");
  if (!Bitcode)
    return Bitcode.takeError();
  Expected<ProcessResult> Run =
      runClang(Clang, deviceArguments(File, *Bitcode, With));
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return createStringError(
        "the device code of '" + File +
        "' does not compile: " + firstError(Run->ErrorOutput));
  auto Read = MemoryBuffer::getFile(*Bitcode, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!Read)
    return createFileError(*Bitcode, Read.getError());
  std::string Runs = (*Read)->getBuffer().str(), Priced;
  if (!Nvcc.empty())
    if (Error E = bitcodeByNvcc(File, **Read)
                      .moveInto(CountsExecuted ? Runs : Priced)) {
      if (CountsExecuted)
        return std::move(E);
      // Without it blocks of its kernels are not counted.
      consumeError(std::move(E));
    }
  std::string Text = GPUOCC_DEVICE_CODE_MARK;
  for (StringRef Module : {StringRef(Runs), StringRef(Priced)}) {
    const uint64_t Bytes = Module.size();
    for (unsigned I = 0; I != sizeof(Bytes); ++I)
      Text += char(Bytes >> (8 * I) & 255);
    Text += Module;
  }
  Expected<StringRef> Code = Shop.create("fatbin", Text);
  if (!Code)
    return Code;
  if (Error E = registerFunctions((*Read)->getBuffer(), *Code))
    return std::move(E);
  return Code;
}

Error HostBuilder::compileAll(ArrayRef<std::string> Files) {
  for (const std::string &File : Files)
    if (Error E = compile(File)) {
      if (!LeavesOut)
        return E;
      Notes.push_back(toString(std::move(E)));
    }
  return Error::success();
}

std::optional<std::string> HostBuilder::takeSpare(StringRef Symbol) {
  // "Timer::Stop(int)" is written "Stop(", an array "Table[" or "Table =".
  const std::string Whole = demangle(Symbol);
  StringRef Call = StringRef(Whole).split('(').first;
  Call = Call.drop_front(Call.rfind(':') + 1);
  const Regex Mention(
      ("(^|[^A-Za-z0-9_])" + Regex::escape(Call) + "[ \t\r\n]*[[(=]").c_str());
  for (auto It = Spare.begin(); It != Spare.end(); ++It) {
    auto Text = MemoryBuffer::getFile(*It);
    if (!Text || !Mention.match((*Text)->getBuffer()))
      continue;
    std::string File = std::move(*It);
    Spare.erase(It);
    return File;
  }
  return std::nullopt;
}

/// The function that \p Name, of a program whose threads have streams of their
/// own, is for programs that share one: "cudaMemcpy_ptds".
static StringRef withoutStream(StringRef Name) {
  StringRef Base = Name;
  return Base.consume_back("_ptsz") || Base.consume_back("_ptds") ? Base : Name;
}

Error HostBuilder::supply(ArrayRef<std::string> Missing) {
  std::vector<std::string> Idle, Lacking;
  bool NeedsProperties = false, TookSpare = false;
  for (const std::string &Name : Missing) {
    // cudaGetDeviceProperties_v2 in some toolkits.
    if (StringRef(Name).starts_with("cudaGetDeviceProperties")) {
      NeedsProperties = true;
    } else if (const StringRef Base = withoutStream(Name); Base != Name) {
      Inputs.push_back(("-Wl,--defsym=" + Name + "=" + Base).str());
      Inputs.push_back(("-Wl,-u," + Base).str());
    } else if (isOfCudaLibrary(Name)) {
      Idle.push_back(Name);
    } else if (std::optional<std::string> File = takeSpare(Name)) {
      if (Error E = compileAll(*File))
        return E;
      TookSpare = true;
    } else {
      Lacking.push_back(Name);
    }
  }
  // A source taken for one may define others.
  if (!Lacking.empty() && !TookSpare)
    return createStringError("the host code needs '" + demangle(Lacking[0]) +
                             "', which no given source defines");
  if (NeedsProperties)
    if (Error E = compile(recorderFile("DeviceProperties.cpp")))
      return E;
  if (Idle.empty())
    return Error::success();
  Notes.push_back("these functions do nothing and return 0: " +
                  join(Idle, ", "));
  return compileOwn(idleFunctions(Idle));
}

Expected<StringRef> HostBuilder::build(ArrayRef<std::string> Files) {
  if (Error E = findClang(Options.Clang).moveInto(Clang))
    return std::move(E);
  if (Error E = findPlugin().moveInto(Plugin))
    return std::move(E);
  if (Error E = chooseNvcc(Options).moveInto(Nvcc))
    return std::move(E);
  // Nothing looks into it.
  if (Error E = Shop.create("fatbin", "none").moveInto(DeviceCode))
    return std::move(E);
  if (Error E = compileAll(Files))
    return std::move(E);
  Expected<StringRef> Program = Shop.create("program");
  if (!Program)
    return Program.takeError();
  // What is added may need more.
  constexpr unsigned MostRounds = 8;
  for (unsigned Round = 0; Round != MostRounds; ++Round) {
    std::vector<std::string> All = Inputs;
    All.push_back(besideProgram("lib/GpuOccupancyRecorder.a"));
    Expected<std::vector<std::string>> Missing = linkHost(Clang, All, *Program);
    if (!Missing)
      return Missing.takeError();
    if (Missing->empty())
      return Program;
    if (Error E = supply(*Missing))
      return std::move(E);
  }
  return createStringError("the host code does not link");
}

/// The lines of GPUOCC_RECORD_WANTED.
static std::string wantedText(ArrayRef<RecordedLaunch> Wanted) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const RecordedLaunch &L : Wanted)
    OS << L.Kernel << ' ' << L.Grid.X << ' ' << L.Grid.Y << ' ' << L.Grid.Z
       << ' ' << L.Block.X << ' ' << L.Block.Y << ' ' << L.Block.Z << '\n';
  return Text;
}

std::vector<std::string> gpuocc::splitCommandLine(StringRef Text) {
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *, 16> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  return std::vector<std::string>(Words.begin(), Words.end());
}

/// What the recorder wrote to \p File. The program may have written it as well:
/// no more than \p MostBytes are read, and of a plain file only.
static Expected<std::string> readRecord(const TemporaryFile &File,
                                        uint64_t MostBytes) {
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(File.path(), Status))
    return createFileError(File.path(), EC);
  if (!sys::fs::is_regular_file(Status) || Status.getSize() > MostBytes)
    return createStringError("the program damaged the record of its launches");
  return File.read();
}

/// Takes the files out of \p Launches that the recorder cannot have written:
/// the program may write names into the record that lead elsewhere, or that
/// mean something in a configuration. True if there were any.
static bool dropForeignFiles(std::vector<RecordedLaunch> &Launches,
                             StringRef MemoryFolder) {
  auto IsOurs = [&](StringRef File, StringRef Prefix) {
    return !MemoryFolder.empty() && File.consume_front(MemoryFolder) &&
           File.consume_front(Prefix) && File.consume_back(".bin") &&
           !File.empty() && all_of(File, isDigit);
  };
  bool Found = false;
  for (RecordedLaunch &L : Launches) {
    if (!L.SeenFile.empty() && !IsOurs(L.SeenFile, "/seen-")) {
      L.SeenFile.clear();
      Found = true;
    }
    if (!L.TurnsFile.empty() && !IsOurs(L.TurnsFile, "/turns-")) {
      L.TurnsFile.clear();
      Found = true;
    }
    for (RecordedArgument &A : L.Arguments)
      Found |= erase_if(A.Memory, [&](const auto &Entry) {
                 return !IsOurs(Entry.second, "/array-");
               }) != 0;
  }
  return Found;
}

/// What a user should know of how the program ended.
static void noteEnd(const GuardedEnd &End, const HostRun &Run,
                    std::vector<std::string> &Notes) {
  if (End.Status != 0) {
    constexpr size_t MostShown = 200;
    std::string Note = "the program " + howItEnded(End, Run.Limits);
    if (!StringRef(End.Said).trim().empty())
      Note += ", and said '" +
              errorLineOf(End.Said).take_front(MostShown).str() + "'";
    Note += "; what it launched until then is recorded";
    if (End.IsFenced && Run.Folder.empty() && Run.Writable.empty())
      Note += "; it may not write files here (--folder, --writable)";
    Notes.push_back(std::move(Note));
  }
  if (End.LeftBehind != 0)
    Notes.push_back("ended " + utostr(End.LeftBehind) + " " +
                    plural(End.LeftBehind, "process") +
                    " that the program left behind");
  if (!End.IsFenced)
    Notes.push_back("the kernel of this machine has no Landlock: the program "
                    "could write any file that you can");
}

Expected<HostRecord> gpuocc::recordLaunches(const HostSources &Sources,
                                            const HostRun &Run,
                                            ArrayRef<KernelFacts> Kernels,
                                            const DeviceModel &Device) {
  Expected<const ArchLimits &> Limits = archLimits(Device.Architecture);
  if (!Limits)
    return Limits.takeError();
  HostRecord Record;
  Workshop Shop;
  Expected<StringRef> Program =
      HostBuilder(Sources, Shop, Record.Notes).build(Sources.Files);
  if (!Program)
    return Record.Notes.empty()
               ? Program.takeError()
               : createStringError(toString(Program.takeError()) + " (" +
                                   join(Record.Notes, "; ") + ")");
  std::vector<RecordableKernel> Recordable;
  for (const KernelFacts &Facts : Kernels)
    Recordable.push_back(recordable(Facts, *Limits));
  Expected<StringRef> Described = Shop.create("kernels", textOf(Recordable));
  if (!Described)
    return Described.takeError();
  Expected<StringRef> Wanted = Shop.create("wanted", wantedText(Run.Wanted));
  if (!Wanted)
    return Wanted.takeError();
  Expected<TemporaryFile> Written = TemporaryFile::create("gpuocc", "launches");
  if (!Written)
    return Written.takeError();
  Expected<TemporaryFile> Counters = TemporaryFile::create("gpuocc", "host");
  if (!Counters)
    return Counters.takeError();
  Expected<TemporaryFile> Events = TemporaryFile::create("gpuocc", "events");
  if (!Events)
    return Events.takeError();
  // The program runs in another folder.
  SmallString<128> Memory(Run.MemoryFolder);
  if (!Memory.empty())
    if (std::error_code EC = sys::fs::make_absolute(Memory))
      return createFileError(Memory, EC);
  Expected<TemporaryFolder> Own = TemporaryFolder::create("gpuocc-program");
  if (!Own)
    return Own.takeError();
  GuardedProgram Guarded;
  Guarded.Path = Program->str();
  Guarded.Arguments = Run.Arguments;
  Guarded.Bubblewrap = Run.Bubblewrap;
  Guarded.Limits = Run.Limits;
  Guarded.Writable = Run.Writable;
  for (StringRef Place :
       {Own->path(), Written->path(), Counters->path(), StringRef(Memory),
        StringRef(Run.Folder), Events->path()})
    if (!Place.empty())
      Guarded.Writable.push_back(Place.str());
  Guarded.Environment = {("TMPDIR=" + Own->path()).str(),
                         ("GPUOCC_RECORD_LAUNCHES=" + Written->path()).str(),
                         ("GPUOCC_RECORD_HOST=" + Counters->path()).str(),
                         ("GPUOCC_RECORD_KERNELS=" + *Described).str(),
                         ("GPUOCC_RECORD_WANTED=" + *Wanted).str(),
                         ("GPUOCC_RECORD_MEMORY=" + Memory).str(),
                         "GPUOCC_RECORD_DEVICE=" +
                             deviceNumbers(Device, *Limits)};
  Guarded.ShowsOutput = Run.ShowsOutput;
  if (Run.KeepsEvents)
    Guarded.Environment.push_back(
        ("GPUOCC_RECORD_EVENTS=" + Events->path()).str());
  if (Sources.Executes)
    Guarded.Environment.push_back("GPUOCC_EXECUTE=" +
                                  besideProgram("lib/GpuOccupancyExecute.so"));
  if (Sources.CountsExecuted)
    Guarded.Environment.push_back("GPUOCC_COUNT_EXECUTED=1");
  if (!Run.Folder.empty())
    Guarded.Environment.push_back("GPUOCC_RECORD_FOLDER=" + Run.Folder);
  Expected<GuardedEnd> Ended = runGuarded(Guarded);
  if (!Ended)
    return Ended.takeError();
  Record.EndedWell =
      Ended->Why == GuardedEnd::Reason::Itself && Ended->Status == 0;
  noteEnd(*Ended, Run, Record.Notes);
  // Of 20000 launches with structs of a few kilobytes each.
  constexpr uint64_t MostLaunchBytes = uint64_t(1) << 28;
  Expected<std::string> Text = readRecord(*Written, MostLaunchBytes);
  if (!Text)
    return Text.takeError();
  Expected<std::vector<RecordedLaunch>> Launches =
      parseRecordedLaunches(*Text, Written->path());
  if (!Launches)
    return Launches.takeError();
  Record.Launches = std::move(*Launches);
  append_range(Record.Notes, recorderNotes(*Text));
  Record.EndedWell &= !hasFailedKernel(*Text);
  if (dropForeignFiles(Record.Launches, Memory))
    Record.Notes.push_back(
        "the program damaged the record of its launches: "
        "files that the recorder did not write are left out");
  constexpr uint64_t MostCounterBytes = uint64_t(1) << 20;
  Expected<std::string> Counted = readRecord(*Counters, MostCounterBytes);
  if (!Counted)
    return Counted.takeError();
  // A program that ends before it uses the GPU counts nothing.
  if (!Counted->empty()) {
    Expected<HostActivity> Activity = parseHostActivity(*Counted);
    if (!Activity)
      return Activity.takeError();
    Record.Activity = std::move(*Activity);
  }
  constexpr uint64_t MostEventBytes = uint64_t(1) << 23;
  Expected<std::string> Ordered = readRecord(*Events, MostEventBytes);
  if (!Ordered)
    return Ordered.takeError();
  if (!Ordered->empty())
    if (Error E = parseHostEvents(*Ordered).moveInto(Record.Events))
      return std::move(E);
  return Record;
}
