//===- LowerKernel.h - A kernel of MLIR to LLVM IR --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READMLIR_LOWERKERNEL_H
#define GPUOCC_READMLIR_LOWERKERNEL_H

#include "gpuocc/ReadMLIR/DeviceCode.h"
#include "gpuocc/ReadMLIR/OperationPlaces.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace gpuocc {

/// How kernels are lowered.
struct LoweringOptions {
  /// As `use-bare-ptr-memref-call-conv` of convert-gpu-to-nvvm: arguments that
  /// are memrefs are one pointer each instead of pointers, offset, sizes and
  /// strides.
  bool BarePointers = false;
  DeviceCodeTarget Target;
  /// The device library of a CUDA toolkit; empty: its functions stay calls.
  std::string DeviceLibrary;
};

/// A kernel in LLVM IR for NVPTX, not optimized.
struct LoweredKernel {
  std::unique_ptr<llvm::Module> Code;
  /// Behind the numbers of the debug locations in Code.
  PlaceTable Places;
  std::array<unsigned, 3> KnownBlock = {0, 0, 0};
};

/// Why a kernel cannot be lowered, and the operation that is to blame.
class LoweringError : public llvm::ErrorInfo<LoweringError> {
public:
  static char ID;
  LoweringError(std::string Text, SourcePlace Place)
      : Text(std::move(Text)), Place(std::move(Place)) {}

  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  /// Without the place.
  std::string Text;
  SourcePlace Place;
};

/// Lowers \p Kernel of \p Bytecode (writeBytecode()) and what it calls, by the
/// conversions of MLIR that gpu-lower-to-nvvm-pipeline takes, in a context of
/// its own whose dialects are those of \p Registry. Fails with a LoweringError
/// that names the operation where one has no lowering.
///
/// MLIR may end the process where operations break its rules: the caller runs
/// this apart (gpuocc/Support/RunInSubprocess.h).
llvm::Expected<LoweredKernel> lowerKernel(llvm::StringRef Bytecode,
                                          llvm::StringRef Kernel,
                                          const mlir::DialectRegistry &Registry,
                                          const LoweringOptions &Options,
                                          llvm::LLVMContext &Context);

/// Makes of \p M what gpu-module-to-binary gives to the code generator \p TM:
/// the functions of the device library linked in, then LLVM's pipeline of
/// Options.Target.OptLevel.
llvm::Error optimizeKernel(llvm::Module &M, llvm::TargetMachine &TM,
                           const LoweringOptions &Options);

} // namespace gpuocc

#endif // GPUOCC_READMLIR_LOWERKERNEL_H
