//===- RegisterPressure.h - Registers that code keeps alive -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a register allocator will have to find room for, from the live ranges
/// of facts that no assembler has seen yet.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_ASSEMBLER_REGISTERPRESSURE_H
#define GPUOCC_ASSEMBLER_REGISTERPRESSURE_H

#include "gpuocc/Kernel/Operation.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace gpuocc {

struct KernelFacts;
struct LaunchBounds;

/// What an architecture has of registers; the defaults are those of sm_90.
struct RegisterFile {
  unsigned RegistersPerSm = 65536;
  unsigned WarpsPerSm = 64;
  /// Registers are given to a warp in multiples of this many.
  unsigned AllocationUnit = 256;
  unsigned MostPerThread = 255;

  /// Most registers per thread with which \p Warps are resident.
  unsigned perThread(unsigned Warps) const;
};

/// The driver gives a thread no fewer registers: on an H200,
/// launch__registers_per_thread is 16 for kernels that ptxas reports with 8, 10
/// and 12.
constexpr unsigned FewestRegisters = 16;

/// The place of a kernel where most registers are alive.
struct PressurePeak {
  /// The operation there; NoIndex when no register is ever alive.
  uint32_t Op = NoIndex;
  /// Registers per thread that hold values there.
  unsigned Registers = 0;
  /// Operations whose results are alive there, used again or not: those that
  /// wait longest for their next use first.
  std::vector<uint32_t> LiveAcross;
};

/// The peak of \p Facts when the assembler saves registers: instructions in the
/// order that keeps least alive, values that are the same for all lanes in
/// uniform registers or computed again.
PressurePeak pressurePeak(const KernelFacts &Facts);

/// The same within loop \p Loop.
PressurePeak pressurePeakOfLoop(const KernelFacts &Facts, uint32_t Loop);

/// Which values are in registers where, before an assembler saves any. Values
/// have numbers.
struct RegisterFlow {
  struct Operands {
    llvm::SmallVector<uint32_t, 2> Uses, Defs;
  };
  /// Registers by value, and the operation that it is a result of.
  std::vector<uint8_t> Words;
  std::vector<uint32_t> MadeBy;
  /// By operation; of a phi what it chooses from and makes.
  std::vector<Operands> OfOperation;
  /// By block.
  std::vector<llvm::BitVector> LiveIn, LiveOut;

  /// Registers of all of \p Values.
  unsigned words(const llvm::BitVector &Values) const;
};

/// The registers of \p Facts, a MIR view. An estimate: pointers that ptxas
/// keeps in uniform registers count, too.
RegisterFlow registerFlow(const KernelFacts &Facts);

/// What ptxas takes beside the registers of values: R1, the stack pointer, and
/// two that no instruction names.
constexpr unsigned RegistersBesideValues = 3;

/// Registers up to which ptxas moves loads up in a kernel of \p Bounds, without
/// saving any (see estimateRegisters).
unsigned registersAtEase(const LaunchBounds &Bounds, const RegisterFile &File);

/// Registers of values that code may take which ptxas gave \p Registers per
/// thread; nothing where it had more than it needed, or had to save them.
///
/// ptxas holds loads back where they would take more than \p AtEase: it ends
/// at most two below. Wide values lie at even registers, which leaves holes.
std::optional<unsigned> registersOfValues(unsigned Registers, unsigned AtEase);

/// Registers per thread that ptxas will assign to \p Facts, a MIR view.
///
/// ptxas moves loads and constants up as long as it costs no warps: up to what
/// a thread has when an SM of \p File is full, or what bounds of registers, or
/// of threads and blocks together, leave to it. Only beyond that it saves
/// registers. (ptxas 13.0: the same code takes 64 on sm_75, 32 on sm_80 and
/// sm_90, 40 on sm_86; a bound of threads alone only caps the result.) The
/// bench `gpu-occupancy-accuracy registers` tracks the error.
unsigned estimateRegisters(const KernelFacts &Facts, const RegisterFile &File);

/// How far estimateRegisters() is off, as parts of what ptxas assigns: half of
/// the kernels are within Median, nine of ten within NineOfTen.
///
/// Source: `gpu-occupancy-accuracy registers` over NVIDIA's cuda-samples and
/// HeCBench, sm_90, clang 22, ptxas 13.0 (docs/occupancy.md).
struct RegisterEstimateError {
  static constexpr double Median = 0.06, NineOfTen = 0.25;
};

} // namespace gpuocc

#endif // GPUOCC_ASSEMBLER_REGISTERPRESSURE_H
