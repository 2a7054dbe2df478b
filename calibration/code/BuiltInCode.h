//===- BuiltInCode.h - Machine code made when this was built ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a CUDA toolkit is there at build time, the microkernels are assembled
/// by its ptxas and their cubins become part of the tool: what is timed is then
/// the code that the toolkit makes of user code too, that code can be
/// disassembled, and nothing has to be compiled in a run. They are found by
/// their PTX, so that a kernel without a cubin, or for another GPU, is compiled
/// by the driver.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_CODE_BUILTINCODE_H
#define GPUOCC_CALIBRATION_CODE_BUILTINCODE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpuocc::calibration {

/// A cubin and the PTX that it was made of.
struct BuiltInCode {
  uint64_t PtxHash; ///< ptxHash()
  int Optimization; ///< As for Gpu::load().
  const char *Begin, *End;
};

/// All cubins of this build, and who made them; defined by a file that the
/// build writes, or by NoCode.cpp.
extern const BuiltInCode BuiltInCodes[];
extern const size_t BuiltInCodeCount;
extern const char BuiltInCodeMaker[]; ///< "" where there are none.

/// The compute capability that the code is for: that of the stand-in.
inline constexpr unsigned BuiltInArchitecture = 90;

/// What stands for a text of PTX: its target is a part of it.
uint64_t ptxHash(llvm::StringRef Ptx);

/// The cubin of \p Ptx, or nothing.
llvm::StringRef builtInCode(llvm::StringRef Ptx, int Optimization);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_CODE_BUILTINCODE_H
