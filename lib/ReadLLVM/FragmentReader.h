//===- FragmentReader.h - Memory accesses of matrix fragments --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A warp loads or stores a fragment of a matrix with one wmma instruction,
/// which the assembler takes apart into ordinary accesses of each lane.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_READLLVM_FRAGMENTREADER_H
#define GPUOCC_LIB_READLLVM_FRAGMENTREADER_H

#include "gpuocc/Kernel/KernelFacts.h"
#include <optional>

namespace llvm {
class MachineInstr;
} // namespace llvm

namespace gpuocc {

/// One access of every lane: at the lane's place, Lines lines (of the leading
/// dimension) and Bytes further.
struct FragmentPiece {
  int64_t Lines = 0;
  int64_t Bytes = 0;
};

/// What a wmma.load or wmma.store becomes. Lane l is at line l / 4 of a tile,
/// elements e (l % 4) to e (l % 4) + e - 1, e being ElementsPerLane; with
/// AcrossLines at element l / 4 of lines e (l % 4) and so on. With MatrixRows
/// at line l % r, 16 bytes further for each r lanes.
struct FragmentAccess {
  AccessKind Kind = AccessKind::Load;
  MemorySpace Space = MemorySpace::Generic;
  unsigned ElementBytes = 2;
  unsigned ElementsPerLane = 2;
  unsigned BytesPerLane = 4;
  bool AcrossLines = false;
  /// Lines that one LDSM reads, 16 or 32 bytes of each: operands in shared
  /// memory of which a lane holds neighbours. 0: by ordinary accesses.
  unsigned MatrixRows = 0;
  unsigned MatrixBytes = 0;
  /// Data registers of the instruction.
  unsigned NumRegisters = 8;
  /// Tiles that MOVM transposes in registers.
  unsigned NumTransposed = 0;
  /// Registers put together from bytes that were loaded one by one.
  unsigned NumPacked = 0;
  llvm::SmallVector<FragmentPiece, 8> Pieces;
};

/// The accesses behind \p Mnemonic ("wmma.load.a.sync.aligned.row.m16n16k16.
/// global.f16"); nothing when it is no fragment access or its layout is not
/// known (4-bit and 1-bit integers).
///
/// Source: SASS of ptxas 13.0 for sm_90, all shapes and layouts of operands
/// (f16, bf16, s8, u8, tf32, f64) and accumulators (f16, f32, s32, f64).
std::optional<FragmentAccess> decodeFragment(llvm::StringRef Mnemonic);

/// The accesses behind \p MI, named \p Name, if it has the operands of a
/// fragment access with a leading dimension.
std::optional<FragmentAccess> decodeFragment(const llvm::MachineInstr &MI,
                                             llvm::StringRef Name);

/// Operations that fillFragment() fills for \p F.
unsigned numFragmentOperations(const FragmentAccess &F);

/// Fills Operations[First, First + numFragmentOperations()) and adds the
/// accesses. \p Line is the leading dimension in elements, \p Data what a
/// store writes. Every operation gets the block and location of \p Like.
/// \returns the values loaded.
llvm::SmallVector<Operand, 8>
fillFragment(const FragmentAccess &F, KernelFacts &Facts, uint32_t First,
             Operand Base, int64_t OffsetBytes, Operand Line,
             llvm::ArrayRef<Operand> Data, const Operation &Like);

} // namespace gpuocc

#endif // GPUOCC_LIB_READLLVM_FRAGMENTREADER_H
