//===- Gpu.cpp - One GPU, its modules and buffers -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gpu.h"
#include "kernels/Architectures.h"
#include "stats/Plausible.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr size_t MaxRecords = WarpRecordLimit;
static constexpr size_t InputWords = 1 << 16;

Expected<CuFunction> Module::function(const std::string &Name) const {
  CuFunction F = nullptr;
  if (Error E = check(*Cuda, Cuda->ModuleGetFunction(&F, Handle, Name.c_str()),
                      "cuModuleGetFunction"))
    return std::move(E);
  return F;
}

Expected<CuDevicePtr> Module::variable(const std::string &Name) const {
  CuDevicePtr Address = 0;
  size_t Bytes = 0;
  if (Error E = check(
          *Cuda, Cuda->ModuleGetGlobal(&Address, &Bytes, Handle, Name.c_str()),
          "cuModuleGetGlobal"))
    return std::move(E);
  return Address;
}

Expected<std::unique_ptr<Gpu>> Gpu::open(const Driver &Cuda, unsigned Index) {
  std::unique_ptr<Gpu> G(new Gpu(Cuda));
  if (Error E = G->initialize(Index))
    return std::move(E);
  return std::move(G);
}

namespace {
/// What an error of cuInit means for a user.
struct StartError {
  CuResult Result;
  const char *Remedy;
};
} // namespace

// Source: CUDA Driver API, CUresult.
static constexpr StartError StartErrors[] = {
    {34, "libcuda.so.1 is a stub: take the directory of stubs off "
         "LD_LIBRARY_PATH"},
    {100, "the driver sees no GPU: see nvidia-smi and CUDA_VISIBLE_DEVICES"},
    {802, "the GPUs' fabric is not ready: is nvidia-fabricmanager running?"},
    {803,
     "libcuda.so.1 and the kernel module are of different drivers: reboot, "
     "or mount the host's library into the container"},
    {804, "the forward compatibility library does not run on this GPU: take it "
          "off LD_LIBRARY_PATH"},
};

static std::string remedyOf(CuResult Result) {
  for (const StartError &S : StartErrors)
    if (S.Result == Result)
      return std::string("; ") + S.Remedy;
  return "";
}

namespace {
/// A number that the driver states, where it goes, and what it can be.
struct StatedNumber {
  DeviceAttribute Attribute;
  const char *Name;
  uint64_t Low, High;
  void (*Keep)(GpuFacts &Facts, unsigned Value);
};
} // namespace

// Wide: up to a hundred times what GPUs have. Clocks and buses may be 0, which
// means that the driver does not say.
static constexpr StatedNumber StatedNumbers[] = {
    {DeviceAttribute::SmCount, "SMs", 1, 1 << 15,
     [](GpuFacts &F, unsigned V) { F.SmCount = V; }},
    {DeviceAttribute::SharedBytesPerSm, "bytes of shared memory of an SM", 1,
     1 << 25, [](GpuFacts &F, unsigned V) { F.SharedBytesPerSm = V; }},
    {DeviceAttribute::SharedBytesPerBlockOptIn,
     "bytes of shared memory of a block", 1, 1 << 25,
     [](GpuFacts &F, unsigned V) { F.SharedBytesPerBlock = V; }},
    {DeviceAttribute::ThreadsPerSm, "threads of an SM", 32, 1 << 18,
     [](GpuFacts &F, unsigned V) { F.ThreadsPerSm = V; }},
    {DeviceAttribute::BlocksPerSm, "blocks of an SM", 1, 1 << 12,
     [](GpuFacts &F, unsigned V) { F.BlocksPerSm = V; }},
    {DeviceAttribute::L2Bytes, "bytes of L2", 1, 1 << 30,
     [](GpuFacts &F, unsigned V) { F.L2Bytes = V; }},
    {DeviceAttribute::ClockKHz, "kHz of the SM clock", 0, 1000000000,
     [](GpuFacts &F, unsigned V) { F.ClockKHz = V; }},
    {DeviceAttribute::MemoryClockKHz, "kHz of the memory clock", 0, 1000000000,
     [](GpuFacts &F, unsigned V) { F.MemoryClockKHz = V; }},
    {DeviceAttribute::MemoryBusBits, "bits of the memory bus", 0, 1 << 20,
     [](GpuFacts &F, unsigned V) { F.MemoryBusBits = V; }},
};

static Error stateNothing(StringRef What, int64_t Value, uint64_t Low,
                          uint64_t High) {
  return createStringError("the driver states %lld %s, where %llu to %llu are "
                           "possible",
                           (long long)Value, What.str().c_str(),
                           (unsigned long long)Low, (unsigned long long)High);
}

Error Gpu::readFacts() {
  static constexpr uint64_t LeastBytes = uint64_t(1) << 26,
                            MostBytes = uint64_t(1) << 46;
  size_t Total = 0;
  if (Error E =
          check(Cuda, Cuda.DeviceTotalMem(&Total, Device), "cuDeviceTotalMem"))
    return E;
  if (Total < LeastBytes || Total > MostBytes)
    return stateNothing("bytes of memory", int64_t(Total), LeastBytes,
                        MostBytes);
  Facts.DramBytes = Total;
  auto Attribute = [&](DeviceAttribute A) {
    int Value = 0;
    return Cuda.DeviceGetAttribute(&Value, int(A), Device) == 0 ? Value : 0;
  };
  Facts.Architecture = Attribute(DeviceAttribute::MajorVersion) * 10 +
                       Attribute(DeviceAttribute::MinorVersion);
  for (const StatedNumber &N : StatedNumbers) {
    const int Value = Attribute(N.Attribute);
    if (Value < 0 || uint64_t(Value) < N.Low || uint64_t(Value) > N.High)
      return stateNothing(N.Name, Value, N.Low, N.High);
    N.Keep(Facts, unsigned(Value));
  }
  return Error::success();
}

Error Gpu::initialize(unsigned Index) {
  CuResult Started = Cuda.Init(0);
  if (Error E = check(Cuda, Started, "cuInit"))
    return createStringError(
        "no usable GPU: the NVIDIA driver does not start: %s%s",
        toString(std::move(E)).c_str(), remedyOf(Started).c_str());
  int Count = 0;
  if (Error E = check(Cuda, Cuda.DeviceGetCount(&Count), "cuDeviceGetCount"))
    return E;
  if (Count == 0)
    return createStringError("no GPU: the NVIDIA driver lists no device");
  if (Index >= unsigned(Count))
    return createStringError("no GPU %u: the driver lists %d", Index, Count);
  if (Error E = check(Cuda, Cuda.DeviceGet(&Device, Index), "cuDeviceGet"))
    return E;

  char Name[256] = "";
  if (Error E = check(Cuda, Cuda.DeviceGetName(Name, sizeof(Name) - 1, Device),
                      "cuDeviceGetName"))
    return E;
  Facts.Name = Name;
  if (Error E = readFacts())
    return E;
  int Version = 0;
  if (Error E =
          check(Cuda, Cuda.DriverGetVersion(&Version), "cuDriverGetVersion"))
    return E;
  Facts.DriverVersion = "CUDA " + std::to_string(Version / 1000) + "." +
                        std::to_string(Version % 1000 / 10);
  // The kernel module states its version; the interface only its own.
  if (auto Text = MemoryBuffer::getFileAsStream("/sys/module/nvidia/version"))
    Facts.DriverVersion =
        (*Text)->getBuffer().trim().str() + ", " + Facts.DriverVersion;
  if (Facts.Architecture < 70)
    return createStringError("'%s' is sm_%u: the microkernels need sm_70 or "
                             "later",
                             Name, Facts.Architecture);

  StringRef Ptx = ptxVersion(Facts.Architecture);
  if (unsigned Needed = cudaReleaseOf(Ptx); unsigned(Version) < Needed)
    return createStringError(
        "the driver is too old: it is of CUDA %d.%d, and PTX %s for sm_%u "
        "needs that of CUDA %u.%u or later",
        Version / 1000, Version % 1000 / 10, Ptx.str().c_str(),
        Facts.Architecture, Needed / 1000, Needed % 1000 / 10);

  if (Error E = check(Cuda, Cuda.PrimaryCtxRetain(&Context, Device),
                      "cuDevicePrimaryCtxRetain"))
    return E;
  if (Error E = check(Cuda, Cuda.CtxSetCurrent(Context), "cuCtxSetCurrent"))
    return E;
  // Not a non-blocking stream: copies on the default stream must keep their
  // order with kernels.
  if (Error E = check(Cuda, Cuda.StreamCreate(&Stream, 0), "cuStreamCreate"))
    return E;
  void *Pinned = nullptr;
  if (Error E = check(
          Cuda, Cuda.MemHostAlloc(&Pinned, MaxRecords * sizeof(WarpRecord), 0),
          "cuMemHostAlloc"))
    return E;
  HostRecords = static_cast<WarpRecord *>(Pinned);
  Expected<DeviceBuffer> Records = allocate(MaxRecords * sizeof(WarpRecord));
  if (!Records)
    return Records.takeError();
  Out = std::make_unique<DeviceBuffer>(std::move(*Records));
  Expected<DeviceBuffer> Words = allocate(InputWords * 8);
  if (!Words)
    return Words.takeError();
  In = std::make_unique<DeviceBuffer>(std::move(*Words));
  return Error::success();
}

Gpu::~Gpu() {
  Out.reset();
  In.reset();
  if (HostRecords)
    Cuda.MemFreeHost(HostRecords);
  if (Stream)
    Cuda.StreamDestroy(Stream);
  if (Context)
    Cuda.PrimaryCtxRelease(Device);
}

/// Options of the driver's compiler: where its error text goes.
enum : int {
  JitErrorLogBuffer = 5,
  JitErrorLogBytes = 6,
  JitOptimizationLevel = 7
};
static constexpr int JitInputPtx = 1;
static constexpr int HighestOptimization = 4;

StringRef Gpu::codeOf(StringRef Ptx) const {
  return Code(Ptx, HighestOptimization);
}

Error Gpu::checkDeadline() const {
  if (!Deadline || std::chrono::steady_clock::now() < Deadline->first)
    return Error::success();
  return createStringError("%s", Deadline->second.c_str());
}

Expected<Module> Gpu::load(const std::string &Ptx, int Optimization) {
  if (Error E = checkDeadline())
    return std::move(E);
  CuModule Handle = nullptr;
  StringRef Image = Code(Ptx, Optimization);
  if (!Image.empty() &&
      Cuda.ModuleLoadDataEx(&Handle, Image.data(), 0, nullptr, nullptr) == 0) {
    ++CodesTaken;
    return Module(Cuda, Handle);
  }
  ++CodesCompiled;
  return loadPtx(Ptx, Optimization);
}

Expected<Module> Gpu::loadPtx(const std::string &Ptx, int Optimization) {
  char Log[4096] = "";
  int Options[] = {JitErrorLogBuffer, JitErrorLogBytes, JitOptimizationLevel};
  void *Values[] = {Log, reinterpret_cast<void *>(sizeof(Log)),
                    reinterpret_cast<void *>(intptr_t(Optimization))};
  CuModule Handle = nullptr;
  auto Before = std::chrono::steady_clock::now();
  CuResult Result =
      Cuda.ModuleLoadDataEx(&Handle, Ptx.c_str(), 3, Options, Values);
  LastLoadNs = std::chrono::duration<double, std::nano>(
                   std::chrono::steady_clock::now() - Before)
                   .count();
  if (Error E = check(Cuda, Result, "cuModuleLoadDataEx")) {
    StringRef FirstLine = StringRef(Log).trim().split('\n').first;
    return joinErrors(std::move(E),
                      createStringError("%s", FirstLine.str().c_str()));
  }
  return Module(Cuda, Handle);
}

Expected<std::vector<char>> Gpu::compile(const std::string &Ptx) {
  if (StringRef Image = codeOf(Ptx); !Image.empty())
    return std::vector<char>(Image.begin(), Image.end());
  if (Error E = check(Cuda, Cuda.CtxSetCurrent(Context), "cuCtxSetCurrent"))
    return std::move(E);
  CuLinkState State = nullptr;
  if (Error E = check(Cuda, Cuda.LinkCreate(0, nullptr, nullptr, &State),
                      "cuLinkCreate"))
    return std::move(E);
  std::string Copy = Ptx;
  void *Image = nullptr;
  size_t Bytes = 0;
  Error E =
      check(Cuda,
            Cuda.LinkAddData(State, JitInputPtx, Copy.data(), Copy.size() + 1,
                             "kernel", 0, nullptr, nullptr),
            "cuLinkAddData");
  if (!E)
    E = check(Cuda, Cuda.LinkComplete(State, &Image, &Bytes), "cuLinkComplete");
  std::vector<char> Code;
  if (!E)
    Code.assign(static_cast<char *>(Image), static_cast<char *>(Image) + Bytes);
  Cuda.LinkDestroy(State);
  if (E)
    return std::move(E);
  return Code;
}

Expected<DeviceBuffer> Gpu::allocate(size_t Bytes) {
  CuDevicePtr Address = 0;
  if (Error E = check(Cuda, Cuda.MemAlloc(&Address, Bytes), "cuMemAlloc"))
    return std::move(E);
  return DeviceBuffer(Cuda, Address, Bytes);
}

Error Gpu::upload(CuDevicePtr To, const void *From, size_t Bytes) {
  return check(Cuda, Cuda.MemcpyHtoD(To, From, Bytes), "cuMemcpyHtoD");
}

Error Gpu::download(void *To, CuDevicePtr From, size_t Bytes) {
  return check(Cuda, Cuda.MemcpyDtoH(To, From, Bytes), "cuMemcpyDtoH");
}

Error Gpu::fill(CuDevicePtr At, uint32_t Word, size_t Bytes) {
  return check(Cuda, Cuda.MemsetD32Async(At, Word, Bytes / 4, Stream),
               "cuMemsetD32Async");
}

Error Gpu::synchronize() {
  return check(Cuda, Cuda.StreamSynchronize(Stream), "cuStreamSynchronize");
}

Error Gpu::start(const Launch &L) {
  if (Error E = checkDeadline())
    return E;
  CuDevicePtr OutAddress = L.Out ? L.Out : Out->address();
  CuDevicePtr InAddress = L.In ? L.In : In->address();
  uint64_t Iterations = L.Iterations, X = L.X, Y = L.Y, Z = L.Z;
  void *Arguments[] = {&OutAddress, &InAddress, &Iterations, &X, &Y, &Z};
  return check(Cuda,
               Cuda.LaunchKernel(L.Function, L.Blocks, 1, 1, L.Threads, 1, 1,
                                 L.SharedBytes, Stream, Arguments, nullptr),
               "cuLaunchKernel");
}

Expected<ArrayRef<WarpRecord>> Gpu::run(const Launch &L) {
  size_t Warps = size_t(L.Blocks) * ((L.Threads + 31) / 32);
  if (Warps > MaxRecords)
    return createStringError("a launch of %zu warps has more records than are "
                             "kept (%zu)",
                             Warps, MaxRecords);
  if (Error E = start(L))
    return std::move(E);
  if (Error E = synchronize())
    return std::move(E);
  if (Error E =
          download(HostRecords, Out->address(), Warps * sizeof(WarpRecord)))
    return std::move(E);
  const ArrayRef<WarpRecord> Records(HostRecords, Warps);
  if (std::optional<std::string> Why = whyImplausible(Records))
    return createStringError("%s", Why->c_str());
  return Records;
}

Expected<CuDevicePtr> Gpu::input(ArrayRef<uint64_t> Words) {
  if (Words.size() > InputWords)
    return createStringError("more input words than are kept");
  if (Error E = upload(In->address(), Words.data(), Words.size() * 8))
    return std::move(E);
  return In->address();
}

} // namespace gpuocc::calibration
