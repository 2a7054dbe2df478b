//===- Absent.h - What an architecture lacks -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Tables of the instructions that only some architectures have, and of the
/// names that machine code has for others.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_KERNELS_ABSENT_H
#define GPUOCC_CALIBRATION_KERNELS_ABSENT_H

#include "Ptx.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace gpuocc::calibration {

/// Why \p Target has no kernel of the PTX \p Text: the instruction and what it
/// needs, such as "redux.sync.add.s32 needs sm_80". Nothing where it has.
std::optional<std::string> whyAbsent(llvm::StringRef Text,
                                     const PtxTarget &Target);

/// Why \p Architecture does not have class or kernel \p Key though PTX of it
/// assembles: the compiler makes a sequence of other instructions of it.
std::optional<std::string> whyEmulated(llvm::StringRef Key,
                                       unsigned Architecture);

/// \p Opcodes, a claim for sm_90, as machine code of \p Architecture has them.
std::string opcodesOn(unsigned Architecture, llvm::StringRef Opcodes);

/// The architecture lacks an instruction of the kernel: its numbers are absent,
/// which is no failure.
class AbsentKernel : public llvm::ErrorInfo<AbsentKernel> {
public:
  static char ID;
  explicit AbsentKernel(std::string Why) : Why(std::move(Why)) {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
  const std::string &why() const { return Why; }

private:
  std::string Why;
};

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_KERNELS_ABSENT_H
