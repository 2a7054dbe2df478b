//===- Gpu.h - One GPU, its modules and buffers ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Owners for what the driver hands out, and the launch of a timed kernel with
/// the records of its warps.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_DRIVER_GPU_H
#define GPUOCC_CALIBRATION_DRIVER_GPU_H

#include "Driver.h"
#include "kernels/Ptx.h"
#include "llvm/ADT/ArrayRef.h"
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc::calibration {

/// Device memory, freed by its destructor.
class DeviceBuffer {
public:
  DeviceBuffer(const Driver &Cuda, CuDevicePtr Address, size_t Bytes)
      : Cuda(&Cuda), Address(Address), Bytes(Bytes) {}
  DeviceBuffer(DeviceBuffer &&Other)
      : Cuda(Other.Cuda), Address(std::exchange(Other.Address, 0)),
        Bytes(Other.Bytes) {}
  DeviceBuffer &operator=(DeviceBuffer &&) = delete;
  ~DeviceBuffer() {
    if (Address)
      Cuda->MemFree(Address);
  }
  CuDevicePtr address() const { return Address; }
  size_t bytes() const { return Bytes; }

private:
  const Driver *Cuda;
  CuDevicePtr Address;
  size_t Bytes;
};

/// A loaded module; its functions live as long as it does.
class Module {
public:
  Module(const Driver &Cuda, CuModule Handle) : Cuda(&Cuda), Handle(Handle) {}
  Module(Module &&Other)
      : Cuda(Other.Cuda), Handle(std::exchange(Other.Handle, nullptr)) {}
  Module &operator=(Module &&) = delete;
  ~Module() {
    if (Handle)
      Cuda->ModuleUnload(Handle);
  }
  llvm::Expected<CuFunction> function(const std::string &Name) const;
  /// The address of a variable of the module.
  llvm::Expected<CuDevicePtr> variable(const std::string &Name) const;

private:
  const Driver *Cuda;
  CuModule Handle;
};

/// How to launch a timed kernel.
struct Launch {
  CuFunction Function = nullptr;
  unsigned Blocks = 1;
  unsigned Threads = 32; ///< per block
  unsigned SharedBytes = 0;
  uint64_t Iterations = 1;
  CuDevicePtr In = 0;  ///< 0: the words of input().
  CuDevicePtr Out = 0; ///< Where records go; 0: what run() returns.
  uint64_t X = 0, Y = ~uint64_t(0), Z = ~uint64_t(0);
  /// Warps that each SM shall have at the same time; 0: not asked for.
  unsigned WarpsPerSm = 0;
};

/// What the driver says about the GPU.
struct GpuFacts {
  std::string Name;
  unsigned Architecture = 0; ///< 90 for compute capability 9.0.
  unsigned SmCount = 0;
  unsigned SharedBytesPerSm = 0, SharedBytesPerBlock = 0;
  unsigned ThreadsPerSm = 0, BlocksPerSm = 0;
  uint64_t L2Bytes = 0, DramBytes = 0;
  unsigned ClockKHz = 0, MemoryClockKHz = 0, MemoryBusBits = 0;
  std::string DriverVersion;
};

/// One GPU with its primary context current on the calling thread.
class Gpu {
public:
  static llvm::Expected<std::unique_ptr<Gpu>> open(const Driver &Cuda,
                                                   unsigned Index);
  ~Gpu();

  const GpuFacts &facts() const { return Facts; }
  const Driver &driver() const { return Cuda; }
  CuStream stream() const { return Stream; }
  PtxTarget target() const { return {Facts.Architecture, false}; }

  /// Where machine code of PTX comes from, by text and level of optimization;
  /// empty: the driver compiles it.
  using CodeSource = std::function<llvm::StringRef(llvm::StringRef, int)>;
  void useCode(CodeSource Source) { Code = std::move(Source); }

  /// The machine code that useCode() has of \p Ptx, or nothing.
  llvm::StringRef codeOf(llvm::StringRef Ptx) const;

  /// Loads the code of \p Ptx that useCode() has, or, where there is none that
  /// the driver takes, what the driver makes of it. \p Optimization is the
  /// driver's level, 0 to 4.
  llvm::Expected<Module> load(const std::string &Ptx, int Optimization = 4);
  /// Compiles and loads \p Ptx; the error holds the compiler's first line.
  llvm::Expected<Module> loadPtx(const std::string &Ptx, int Optimization = 4);
  /// Machine code of \p Ptx: that of useCode(), or as the driver's compiler
  /// makes it for linking: where a constant or a function is named, it is not
  /// the code that load() gets then. May be called on any thread.
  llvm::Expected<std::vector<char>> compile(const std::string &Ptx);

  /// Modules that load() took from useCode(), and those the driver compiled.
  unsigned codesTaken() const { return CodesTaken; }
  unsigned codesCompiled() const { return CodesCompiled; }

  llvm::Expected<DeviceBuffer> allocate(size_t Bytes);
  llvm::Error upload(CuDevicePtr To, const void *From, size_t Bytes);
  llvm::Error download(void *To, CuDevicePtr From, size_t Bytes);
  llvm::Error fill(CuDevicePtr At, uint32_t Word, size_t Bytes);
  llvm::Error synchronize();

  using TimePoint = std::chrono::steady_clock::time_point;
  /// From \p End on nothing is loaded or started: what tries to ends with an
  /// error that says \p Why. A plan whose kernels run longer than they can
  /// otherwise has no end.
  void setDeadline(TimePoint End, std::string Why) {
    Deadline = {End, std::move(Why)};
  }
  void clearDeadline() { Deadline.reset(); }

  /// Runs \p L and returns the records of all its warps in grid order. Fails
  /// where they can be no times of warps (stats/Plausible.h).
  llvm::Expected<llvm::ArrayRef<WarpRecord>> run(const Launch &L);
  /// Starts \p L without waiting; its records are lost.
  llvm::Error start(const Launch &L);
  /// Words of scratch that kernels may read through %kin.
  llvm::Expected<CuDevicePtr> input(llvm::ArrayRef<uint64_t> Words);

  /// Nanoseconds the driver spent in the last loadPtx().
  double lastLoadNs() const { return LastLoadNs; }

private:
  explicit Gpu(const Driver &Cuda) : Cuda(Cuda) {}
  llvm::Error initialize(unsigned Index);
  /// What the driver states about the GPU, as far as it can be true.
  llvm::Error readFacts();
  llvm::Error checkDeadline() const;

  const Driver &Cuda;
  GpuFacts Facts;
  CuDevice Device = 0;
  CuContext Context = nullptr;
  CuStream Stream = nullptr;
  std::unique_ptr<DeviceBuffer> Out, In;
  WarpRecord *HostRecords = nullptr;
  double LastLoadNs = 0;
  CodeSource Code = [](llvm::StringRef, int) { return llvm::StringRef(); };
  unsigned CodesTaken = 0, CodesCompiled = 0;
  std::optional<std::pair<TimePoint, std::string>> Deadline;
};

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_DRIVER_GPU_H
