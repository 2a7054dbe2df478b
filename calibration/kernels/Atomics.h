//===- Atomics.h - Microkernels of contended atomics -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Atomics of many warps on few words, in the forms the compiler makes.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_ATOMICS_H
#define GPUOCC_CALIBRATION_KERNELS_ATOMICS_H

#include "Ptx.h"

namespace gpuocc::calibration {

/// What an atomic on global memory does with a word.
enum class GlobalAtomic {
  Add,        ///< 32-bit integers.
  Add64,      ///< 64-bit integers.
  AddFloat,   ///< Single precision.
  AddDouble,  ///< Double precision.
  AddHalf2,   ///< Two halves.
  Max,        ///< Signed 32-bit integers.
  Xor,        ///< 32 bits.
  Exchange,   ///< 32 bits; has a result always, as the next one.
  CompareSwap ///< 32 bits, the comparison seldom true.
};
inline constexpr unsigned NumGlobalAtomics = 9;

/// Bytes of the word that \p Form changes: 4 or 8.
unsigned wordBytes(GlobalAtomic Form);
/// Whether \p Form exists without a result.
bool hasReduction(GlobalAtomic Form);

/// \p Unroll atomics on global memory in a row, returned or not. Thread t of
/// the grid changes word (t & y) + (warp & z) of the buffer at x. The last one
/// is waited for.
TimedKernel contendedGlobal(GlobalAtomic Form, bool Returned, unsigned Unroll);

/// What a shared memory atomic becomes.
enum class SharedAtomic {
  Add,      ///< ATOMS.ADD of a register, result not used.
  Returned, ///< The same, result used by the next one.
  Count,    ///< Addition of 1, result not used: ATOMS.POPC.INC.
  Max,      ///< ATOMS.MAX, result not used.
  Swap,     ///< ATOMS.CAS, result used by the next one.
};

/// \p Unroll shared memory atomics in a row; the lane's byte offset is in the
/// lane table.
TimedKernel contendedShared(SharedAtomic Form, unsigned Unroll);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_ATOMICS_H
