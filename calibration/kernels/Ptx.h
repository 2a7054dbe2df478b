//===- Ptx.h - Text of timed microkernels ----------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Writes PTX for microkernels of one shape: prologue, barrier, clock, loop,
/// clock, one record per warp. The driver compiles the text for the GPU that
/// it runs on, so no toolkit is needed.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_PTX_H
#define GPUOCC_CALIBRATION_KERNELS_PTX_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace gpuocc::calibration {

/// The architecture a module is written for.
struct PtxTarget {
  unsigned Architecture = 90;        ///< 90 for sm_90.
  bool ArchitectureSpecific = false; ///< sm_90a: needed for wgmma.
};

/// First lines of a module: version, target, address size.
std::string moduleHeader(const PtxTarget &Target);

/// What the machine code of a kernel is to hold.
struct SassClaim {
  std::string Opcodes; ///< Full mnemonics, separated by '|'.
  double Count = 0;    ///< Instructions with one of them.
  /// Counted in the whole kernel instead of its longest loop: for kernels
  /// without one, and where the compiler moves a part of it elsewhere.
  bool WholeKernel = false;
};

/// What varies between timed kernels. All text is PTX.
///
/// Every kernel has the 64-bit parameters out, in, iterations, x, y, z, read
/// into %kout, %kin, %kiters (32-bit), %kx, %ky, %kz. Also defined, 32-bit:
/// %ktid, %kntid, %kcta, %kncta, %klane, %kwarp (within the block); 64-bit:
/// %kgwarp (warp within the grid).
struct TimedKernel {
  std::string Name;
  std::string ModuleScope;  ///< Before the entry.
  std::string Declarations; ///< Registers and variables of the kernel.
  std::string Prologue;     ///< Before the first clock.
  std::string Body;         ///< Inside the loop.
  std::string Epilogue;     ///< After the second clock; leaves %ksink (b64).
  unsigned MaxThreads = 1024;
  unsigned MinBlocks = 0;     ///< 0: no register limit beyond MaxThreads.
  unsigned LoopStep = 1;      ///< Subtracted from %kiters once an iteration.
  unsigned ClusterBlocks = 0; ///< 0: no cluster.
  SassClaim Claim;
};

/// Words of 64 bits that each warp writes to out.
enum WarpRecordWord : unsigned {
  RecordStartClock, ///< %clock64 before the loop.
  RecordEndClock,   ///< %clock64 after the loop.
  RecordStartTime,  ///< %globaltimer before the loop, ns.
  RecordEndTime,    ///< %globaltimer after the loop, ns.
  RecordSm,         ///< %smid.
  RecordSink,       ///< Keeps results alive.
  RecordWords
};

/// The same words as a struct.
struct WarpRecord {
  uint64_t StartClock, EndClock;
  uint64_t StartTime, EndTime; ///< ns
  uint64_t Sm, Sink;
};
static_assert(sizeof(WarpRecord) == RecordWords * 8);

/// Most warps whose records are kept: 64 on each of 1024 SMs, or many blocks.
inline constexpr size_t WarpRecordLimit = 1 << 18;

/// The text of one entry.
std::string timedKernel(const TimedKernel &K);

/// \p Text with every occurrence of \p From replaced by \p To.
std::string replaceAll(std::string Text, llvm::StringRef From,
                       llvm::StringRef To);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_PTX_H
