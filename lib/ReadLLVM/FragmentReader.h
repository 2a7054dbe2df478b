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

namespace gpuocc {

/// One access of every lane: at the lane's place, Lines lines (of the leading
/// dimension) and Bytes further.
struct FragmentPiece {
  int64_t Lines = 0;
  int64_t Bytes = 0;
};

/// What a wmma.load or wmma.store becomes. With n elements to a lane, lane l is
/// at line l / 4, elements n (l % 4) to n (l % 4) + n - 1 of a tile of 8 lines
/// and 4 n elements; with AcrossLines at element l / 4 of those lines.
struct FragmentAccess {
  AccessKind Kind = AccessKind::Load;
  MemorySpace Space = MemorySpace::Generic;
  unsigned ElementBytes = 2;
  unsigned ElementsPerLane = 2;
  unsigned BytesPerLane = 4;
  bool AcrossLines = false;
  /// Data registers of the instruction.
  unsigned NumRegisters = 8;
  /// Tiles that MOVM transposes in registers.
  unsigned NumTransposed = 0;
  llvm::SmallVector<FragmentPiece, 8> Pieces;
};

/// The accesses behind \p Mnemonic ("wmma.load.a.sync.aligned.row.m16n16k16.
/// global.f16"); nothing when it is no fragment access or its layout is not
/// known.
///
/// Source: SASS of ptxas 13.0 for sm_90: all shapes and layouts of operands of
/// f16, bf16, tf32 and f64 and of all accumulators; operands of 8 bits whose
/// lines go along k.
std::optional<FragmentAccess> decodeFragment(llvm::StringRef Mnemonic);

/// What the multiplication \p Mnemonic ("wmma.mma.sync.aligned.row.col.
/// m16n16k8.f32.tf32.tf32.f32") becomes, in as many steps as k has of them;
/// nothing when it is none or its type is not known. Source: as above.
std::optional<Emission> decodeMultiplication(llvm::StringRef Mnemonic);

/// Operations that appendFragment() adds for \p F.
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
