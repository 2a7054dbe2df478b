//===- HostProgram.cpp - The host part of a program, built and run --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostProgram.h"
#include "Compiler.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Toolchain/LinkHost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
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
  CudaToolkit Toolkit = findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  if (Toolkit.hasHeaders())
    Arguments.push_back("-I" + Toolkit.Root + "/include");
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
  if (!findCudaToolkit(CudaToolkitPlaces::ofThisMachine()).hasHeaders())
    Arguments.insert(Arguments.end(), {"-Xclang", LaunchVersion.str()});
  append_range(Arguments, headerOptions());
  append_range(Arguments, Options.ClangArguments);
  return Arguments;
}

static std::vector<std::string> hostArguments(StringRef File, StringRef Object,
                                              StringRef Plugin,
                                              StringRef DeviceCode,
                                              const SourceOptions &Options) {
  std::vector<std::string> Arguments = {"-c", "-O2", "-w", "-o", Object.str()};
  append_range(Arguments, sys::path::extension(File) == ".c"
                              ? argumentsForC(Options)
                              : argumentsForCuda(Plugin, DeviceCode, Options));
  // Behind the compiler's own.
  Arguments.insert(Arguments.end(),
                   {"-idirafter", recorderFile("include"), File.str()});
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
  unsigned Capability = 0;
  StringRef Number = StringRef(Limits.Name).drop_front(3);
  Number.take_while(isDigit).getAsInteger(10, Capability);
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

} // namespace

namespace {

/// Builds one program.
class HostBuilder {
public:
  HostBuilder(const SourceOptions &Options, Workshop &Shop)
      : Options(Options), Shop(Shop) {}

  /// The path of the program; \p Notes takes what does nothing in it.
  Expected<StringRef> build(ArrayRef<std::string> Files,
                            std::vector<std::string> &Notes);

private:
  Error compile(StringRef File);
  /// Adds what stands for \p Missing.
  Error standIn(std::vector<std::string> Missing,
                std::vector<std::string> &Notes);

  const SourceOptions &Options;
  Workshop &Shop;
  std::string Clang, Plugin;
  StringRef DeviceCode;
  std::vector<std::string> Inputs;
};

} // namespace

Error HostBuilder::compile(StringRef File) {
  Expected<StringRef> Object = Shop.create("o");
  if (!Object)
    return Object.takeError();
  Expected<ProcessResult> Run = runClang(
      Clang, hostArguments(File, *Object, Plugin, DeviceCode, Options));
  if (!Run)
    return Run.takeError();
  if (Run->Status != 0)
    return createStringError(
        "the host code of '" + File +
        "' does not compile: " + StringRef(Run->ErrorOutput).split('\n').first);
  Inputs.push_back(Object->str());
  return Error::success();
}

Error HostBuilder::standIn(std::vector<std::string> Missing,
                           std::vector<std::string> &Notes) {
  const size_t Before = Missing.size();
  // cudaGetDeviceProperties_v2 in some toolkits.
  erase_if(Missing, [](StringRef Name) {
    return Name.starts_with("cudaGetDeviceProperties");
  });
  if (Missing.size() != Before)
    if (Error E = compile(recorderFile("DeviceProperties.cpp")))
      return E;
  if (Missing.empty())
    return Error::success();
  Notes.push_back("these functions do nothing and return 0: " +
                  join(Missing, ", "));
  Expected<StringRef> Idle = Shop.create("c", idleFunctions(Missing));
  if (!Idle)
    return Idle.takeError();
  return compile(*Idle);
}

Expected<StringRef> HostBuilder::build(ArrayRef<std::string> Files,
                                       std::vector<std::string> &Notes) {
  if (Error E = findClang(Options.Clang).moveInto(Clang))
    return std::move(E);
  if (Error E = findPlugin().moveInto(Plugin))
    return std::move(E);
  // Nothing looks into it.
  if (Error E = Shop.create("fatbin", "none").moveInto(DeviceCode))
    return std::move(E);
  for (const std::string &File : Files)
    if (Error E = compile(File))
      return std::move(E);
  Inputs.push_back(besideProgram("lib/GpuOccupancyRecorder.a"));
  Expected<StringRef> Program = Shop.create("program");
  if (!Program)
    return Program.takeError();
  Expected<std::vector<std::string>> Missing =
      linkHost(Clang, Inputs, *Program);
  if (!Missing)
    return Missing.takeError();
  if (Missing->empty())
    return Program;
  if (Error E = standIn(std::move(*Missing), Notes))
    return std::move(E);
  Missing = linkHost(Clang, Inputs, *Program);
  if (!Missing)
    return Missing.takeError();
  if (!Missing->empty())
    return createStringError("the host code does not link: '" +
                             Missing->front() + "' is missing");
  return Program;
}

/// The lines of GPUOCC_RECORD_WANTED.
static std::string textOf(ArrayRef<RecordedLaunch> Wanted) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (const RecordedLaunch &L : Wanted)
    OS << L.Kernel << ' ' << L.Grid.X << ' ' << L.Grid.Y << ' ' << L.Grid.Z
       << ' ' << L.Block.X << ' ' << L.Block.Y << ' ' << L.Block.Z << '\n';
  return Text;
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
      HostBuilder(Sources.Options, Shop).build(Sources.Files, Record.Notes);
  if (!Program)
    return Program.takeError();
  Expected<StringRef> Parameters =
      Shop.create("parameters", recordableParameters(Kernels));
  if (!Parameters)
    return Parameters.takeError();
  Expected<StringRef> Wanted = Shop.create("wanted", textOf(Run.Wanted));
  if (!Wanted)
    return Wanted.takeError();
  Expected<TemporaryFile> Written = TemporaryFile::create("gpuocc", "launches");
  if (!Written)
    return Written.takeError();
  ProcessOptions Surroundings;
  Surroundings.LimitSeconds = Run.LimitSeconds;
  Surroundings.Environment = {
      ("GPUOCC_RECORD_LAUNCHES=" + Written->path()).str(),
      ("GPUOCC_RECORD_PARAMETERS=" + *Parameters).str(),
      ("GPUOCC_RECORD_WANTED=" + *Wanted).str(),
      "GPUOCC_RECORD_DEVICE=" + deviceNumbers(Device, *Limits)};
  if (!Run.Folder.empty())
    Surroundings.Environment.push_back("GPUOCC_RECORD_FOLDER=" + Run.Folder);
  Expected<ProcessResult> Ended = runProcess(
      *Program,
      SmallVector<StringRef>(Run.Arguments.begin(), Run.Arguments.end()),
      Surroundings);
  if (!Ended)
    return Ended.takeError();
  if (Ended->Status != 0)
    Record.Notes.push_back(
        (Ended->Status < 0
             ? "the program was stopped by a signal or after " +
                   utostr(Run.LimitSeconds) + " seconds"
             : "the program ended with status " + itostr(Ended->Status)) +
        "; what it launched until then is recorded");
  Expected<std::string> Text = Written->read();
  if (!Text)
    return Text.takeError();
  Expected<std::vector<RecordedLaunch>> Launches =
      parseRecordedLaunches(*Text, Written->path());
  if (!Launches)
    return Launches.takeError();
  Record.Launches = std::move(*Launches);
  return Record;
}
