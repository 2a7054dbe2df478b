//===- WarpWork.cpp - What the mean warp of a launch does -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Model/WarpWork.h"
#include "Bounds/ProductFlops.h"
#include "Numbers/WarpTraffic.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Support/InstClasses.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

namespace {
struct FlopRow {
  InstClass Class;
  WarpFlops Flops;
};
} // namespace

constexpr double Lanes = 32;

/// Operations of a matrix product of \p M x \p N x \p K.
static constexpr double product(double M, double N, double K) {
  return 2 * M * N * K;
}

static constexpr FlopRow FlopRows[] = {
    {InstClass::FAdd, {FlopKind::Fp32, Lanes}},
    {InstClass::FMul, {FlopKind::Fp32, Lanes}},
    {InstClass::FFma, {FlopKind::Fp32, 2 * Lanes}},
    {InstClass::HAdd2, {FlopKind::Fp16, 2 * Lanes}},
    {InstClass::HMul2, {FlopKind::Fp16, 2 * Lanes}},
    {InstClass::HFma2, {FlopKind::Fp16, 4 * Lanes}},
    {InstClass::BFma2, {FlopKind::Fp16, 4 * Lanes}},
    {InstClass::DAdd, {FlopKind::Fp64, Lanes}},
    {InstClass::DMul, {FlopKind::Fp64, Lanes}},
    {InstClass::DFma, {FlopKind::Fp64, 2 * Lanes}},
    {InstClass::MmaF16K8, {FlopKind::TensorFp16, product(16, 8, 8)}},
    {InstClass::MmaF16K16, {FlopKind::TensorFp16, product(16, 8, 16)}},
    {InstClass::MmaF16AccF16K16, {FlopKind::TensorFp16, product(16, 8, 16)}},
    {InstClass::MmaBf16K16, {FlopKind::TensorBf16, product(16, 8, 16)}},
    {InstClass::MmaTf32K4, {FlopKind::TensorTf32, product(16, 8, 4)}},
    {InstClass::MmaTf32K8, {FlopKind::TensorTf32, product(16, 8, 8)}},
    {InstClass::MmaS8K16, {FlopKind::TensorInt8, product(16, 8, 16)}},
    {InstClass::MmaS8K32, {FlopKind::TensorInt8, product(16, 8, 32)}},
    {InstClass::MmaF64, {FlopKind::TensorFp64, product(8, 8, 4)}},
};

StringRef gpuocc::flopKindText(FlopKind K) {
  static constexpr StringLiteral Texts[] = {
      "fp16",        "fp32",        "fp64",        "tensor.fp16",
      "tensor.bf16", "tensor.tf32", "tensor.int8", "tensor.fp64"};
  static_assert(std::size(Texts) == NumFlopKinds);
  return Texts[unsigned(K)];
}

WarpFlops gpuocc::warpFlops(InstClass C) {
  for (const FlopRow &Row : FlopRows)
    if (Row.Class == C)
      return Row.Flops;
  return {};
}

double gpuocc::sectorBytes(const DeviceModel &Device) {
  return Device.get(Quantity::L1SectorBytes)
      .valueOr(fallbackNumber(Quantity::L1SectorBytes)->Value);
}

double gpuocc::sharedTransactionBytes(const DeviceModel &Device) {
  const ArchLimits &Limits = archLimitsOrNone(Device.Architecture);
  auto Get = [&](std::optional<unsigned> ArchLimits::*Limit) {
    return Limits.*Limit ? *(Limits.*Limit) : fallbackNumber(Limit)->Value;
  };
  return Get(&ArchLimits::SharedBanks) * Get(&ArchLimits::SharedBankBytes);
}

static bool isTensor(FlopKind K) { return K >= FlopKind::TensorFp16; }

/// Instructions of the blocks, and the arithmetic in them.
static void addInstructions(const KernelFacts &Facts,
                            const ExecutionProfile &Profile, WarpWork &Out) {
  for (const Operation &Op : Facts.Operations) {
    const BlockProfile &B = Profile.Blocks[Op.Block];
    const double Active = std::clamp(B.ActiveLaneFraction, 0.0, 1.0);
    for (const Emission &E : Op.Emits) {
      const double Count = E.Count * B.ExecutionsPerWarp;
      WarpFlops F = warpFlops(E.Class);
      if (F.PerInstruction == 0)
        F = productFlops(E.Class, Op);
      Out.WarpInstructions += Count;
      Out.ThreadInstructions += Count * Active;
      Out.Flops[unsigned(F.Kind)] +=
          Count * F.PerInstruction * (isTensor(F.Kind) ? 1 : Active);
    }
  }
}

static void addShared(const MemoryAccess &A, const AccessProfile &P,
                      WarpWork &Out) {
  const double Turns = isAtomic(A.Kind) ? P.SerializedPasses : 0;
  Out.SharedInstructions += P.RequestsPerWarp;
  Out.SharedTransactions +=
      P.RequestsPerWarp * std::max({1.0, P.WavefrontsPerRequest, Turns});
  Out.IdealSharedTransactions +=
      P.RequestsPerWarp * std::max(1.0, P.IdealWavefrontsPerRequest);
}

static void addCached(const MemoryAccess &A, const AccessProfile &P,
                      double SectorBytes, WarpWork &Out) {
  const double Sectors = P.RequestsPerWarp * P.SectorsPerRequest;
  if (A.Bulk) {
    // No sector of it passes L1.
    Out.SharedTransactions += P.RequestsPerWarp * P.WavefrontsPerRequest;
    Out.IdealSharedTransactions += P.RequestsPerWarp * P.WavefrontsPerRequest;
  } else if (A.Space == MemorySpace::Local) {
    Out.LocalTransactions += Sectors;
  } else {
    Out.GlobalInstructions += P.RequestsPerWarp;
    Out.GlobalTransactions += Sectors;
    // A sum until all are known.
    Out.GlobalBytesPerLane += P.RequestsPerWarp * A.BytesPerLane;
  }
  const AccessTraffic T = accessTraffic(A, P, SectorBytes);
  Out.L2ReadBytes += P.RequestsPerWarp * T.L2ReadBytes;
  Out.L2WriteBytes += P.RequestsPerWarp * T.L2WriteBytes;
  Out.DramReadBytes += P.RequestsPerWarp * T.DramReadBytes;
  Out.DramWriteBytes += P.RequestsPerWarp * T.DramWriteBytes;
}

WarpWork gpuocc::warpWork(const KernelFacts &Facts,
                          const ExecutionProfile &Profile,
                          const DeviceModel &Device) {
  WarpWork Out;
  addInstructions(Facts, Profile, Out);
  const double Sector = sectorBytes(Device);
  for (size_t I = 0; I != Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = Facts.Accesses[I];
    if (A.Space == MemorySpace::Shared)
      addShared(A, Profile.Accesses[I], Out);
    else if (isCached(A.Space))
      addCached(A, Profile.Accesses[I], Sector, Out);
  }
  if (Out.GlobalInstructions > 0)
    Out.GlobalBytesPerLane /= Out.GlobalInstructions;
  return Out;
}
