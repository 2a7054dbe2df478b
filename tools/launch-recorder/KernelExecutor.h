//===- KernelExecutor.h - Kernels of the program, run -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LAUNCHRECORDER_KERNELEXECUTOR_H
#define GPUOCC_TOOLS_LAUNCHRECORDER_KERNELEXECUTOR_H

#include "LaunchLog.h"
#include "execute/ExecuteInterface.h"
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>

namespace gpuocc::recorder {

/// Runs kernels with the library that GPUOCC_EXECUTE names. Without it none
/// runs.
class KernelExecutor {
public:
  KernelExecutor();

  /// The handle of the device code behind \p Wrapper, which the compiler
  /// passes to __cudaRegisterFatBinary.
  void **addModule(const void *Wrapper);
  void addKernel(void **Handle, const void *Stub, const char *Name);
  void addVariable(void **Handle, const char *Name, void *Address,
                   size_t Bytes);
  /// All of the module of \p Handle is known.
  void load(void **Handle);

  /// Runs the kernel behind \p Stub; false where it cannot, or fails. The
  /// reason is printed once a kernel. Behind a kernel that failed none runs, as
  /// on a device.
  bool run(const void *Stub, GpuoccLaunch &Launch);

  /// The error of the kernel that failed; 0 while none has.
  int failure() const { return Failure; }

private:
  struct Kernel {
    int Module = -1;
    std::string Name;
  };

  int moduleOf(void **Handle) const;
  std::optional<Kernel> find(const void *Stub);
  /// Once for each kernel and \p Level.
  void tell(const std::string &Kernel, const char *Level,
            const std::string &What);

  std::mutex Lock;
  /// Null where no kernel runs.
  const GpuoccExecuteFunctions *Functions = nullptr;
  std::map<const void *, Kernel> Kernels;
  std::set<std::string> Told;
  std::atomic<int> Failure = 0;
};

/// The executor of the program.
KernelExecutor &kernelExecutor();

} // namespace gpuocc::recorder

#endif // GPUOCC_TOOLS_LAUNCHRECORDER_KERNELEXECUTOR_H
