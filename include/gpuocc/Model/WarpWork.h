//===- WarpWork.h - What the mean warp of a launch does ---------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_WARPWORK_H
#define GPUOCC_MODEL_WARPWORK_H

#include "gpuocc/Support/InstClass.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>

namespace gpuocc {

struct DeviceModel;
struct ExecutionProfile;
struct KernelFacts;

/// Precisions whose operations are counted apart.
enum class FlopKind : uint8_t {
  Fp16,
  Fp32,
  Fp64,
  TensorFp16,
  TensorBf16,
  TensorTf32,
  TensorInt8,
  TensorFp64
};
constexpr unsigned NumFlopKinds = unsigned(FlopKind::TensorFp64) + 1;

/// "fp32", "tensor.fp16".
llvm::StringRef flopKindText(FlopKind K);

/// Arithmetic operations of one warp instruction with all lanes active; a
/// multiply-add is two. Special functions and conversions count as none, and so
/// do products of warp groups (wgmma), whose size the class does not say.
struct WarpFlops {
  FlopKind Kind = FlopKind::Fp32;
  double PerInstruction = 0;
};
WarpFlops warpFlops(InstClass C);

/// What one warp executes and moves, mean over the warps of a launch.
///
/// Transactions are those of Ding and Williams 2019, section III: 32 bytes
/// (sectors) at L1, L2 and DRAM, 128 bytes (wavefronts) at shared memory.
struct WarpWork {
  double WarpInstructions = 0;
  /// Instructions of active lanes over 32.
  double ThreadInstructions = 0;
  /// Requests to global (and generic) memory, and their sectors at L1.
  double GlobalInstructions = 0, GlobalTransactions = 0;
  /// Sectors at L1 of spills and local arrays.
  double LocalTransactions = 0;
  /// Requests to shared memory and their wavefronts.
  double SharedInstructions = 0, SharedTransactions = 0;
  /// Wavefronts of the same lanes without conflicts.
  double IdealSharedTransactions = 0;
  /// Bytes that a lane moves in a request to global memory, mean.
  double GlobalBytesPerLane = 0;
  double L2ReadBytes = 0, L2WriteBytes = 0;
  double DramReadBytes = 0, DramWriteBytes = 0;
  /// By FlopKind, of active lanes.
  std::array<double, NumFlopKinds> Flops = {};

  double l2Bytes() const { return L2ReadBytes + L2WriteBytes; }
  double dramBytes() const { return DramReadBytes + DramWriteBytes; }
};

/// The work of \p Facts with the counts of \p Profile; sectors are those of
/// \p Device.
WarpWork warpWork(const KernelFacts &Facts, const ExecutionProfile &Profile,
                  const DeviceModel &Device);

/// Bytes of a transaction at L1, L2 and DRAM, and at shared memory.
double sectorBytes(const DeviceModel &Device);
double sharedTransactionBytes(const DeviceModel &Device);

} // namespace gpuocc

#endif // GPUOCC_MODEL_WARPWORK_H
