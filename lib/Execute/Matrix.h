//===- Matrix.h - Matrices in the registers of a warp -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_MATRIX_H
#define GPUOCC_LIB_EXECUTE_MATRIX_H

#include "WarpOperation.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace gpuocc::execute {

enum class MatrixType : uint8_t {
#define MATRIX_TYPE(Enum, Text, Bits) Enum,
#include "MatrixTypes.def"
};

unsigned bitsOf(MatrixType T);
std::optional<MatrixType> matrixType(llvm::StringRef Text);

/// A (M x K), B (K x N), and the sum (M x N).
enum class MatrixPart : uint8_t { A, B, Sum };

/// D = A B + C.
struct MatrixForm {
  uint16_t M = 0, N = 0, K = 0;
  MatrixType A = MatrixType::F16, B = MatrixType::F16, C = MatrixType::F32,
             D = MatrixType::F32;
  /// wmma: which lane holds which element is not defined, and here row after
  /// row goes to lane after lane. Otherwise it is as PTX defines it for
  /// mma.sync.
  bool IsOpaque = false;
  /// Integers are held within their range.
  bool Saturates = false;
  /// Of single bits: those that differ are counted, not those that both have.
  bool CountsDifferences = false;

  unsigned rows(MatrixPart P) const { return P == MatrixPart::B ? K : M; }
  unsigned columns(MatrixPart P) const { return P == MatrixPart::A ? K : N; }
  /// Elements that a lane holds.
  unsigned perLane(MatrixPart P) const {
    return rows(P) * columns(P) / WarpLanes;
  }
};

/// "m16n8k16"; false for other words.
bool parseShape(llvm::StringRef Word, MatrixForm &Form);

struct MatrixPlace {
  unsigned Row, Column;
};

/// Where element \p I of lane \p Lane belongs.
///
/// Source: PTX ISA 8.7, 9.7.14.5, "Matrix fragments for mma": with g = lane / 4
/// and t = lane % 4, and e elements in a register of 32 bits (1 of 64), element
/// j of register r of A is in row g + 8 (r % 2) and column t e + j +
/// 4 e (r / 2), or in row g and column t e + j + 4 e r where there are eight
/// rows; B likewise with its row for the column; elements of the sum are in
/// pairs.
MatrixPlace placeOf(const MatrixForm &Form, MatrixPart P, unsigned Lane,
                    unsigned I);

/// Lanes hold eight rows of a matrix of 8 x 8 elements of 16 bits, or name
/// them.
struct MatrixMove {
  /// Matrices: 1, 2 or 4.
  uint8_t Count = 1;
  bool IsTransposed = false;
};

/// What a lane brings to an operation of its warp on matrices, and where its
/// part of the result goes.
struct MatrixRequest {
  const MatrixForm *Form;
  MatrixMove Move;
  const void *A, *B, *C;
  void *D;
};

/// Does \p Operation, for which the lanes \p Members have come; WarpRequest::
/// Value is the MatrixRequest.
void answerMatrix(WarpOperation Operation, uint32_t Members,
                  llvm::ArrayRef<WarpRequest *> Lanes);

/// Loads the part \p P of lane \p Lane from memory into \p Registers. \p Stride
/// elements lie between rows, or columns where \p IsColumns.
void loadMatrixPart(const MatrixForm &Form, MatrixPart P, unsigned Lane,
                    const void *From, uint32_t Stride, bool IsColumns,
                    void *Registers);
void storeMatrixPart(const MatrixForm &Form, unsigned Lane,
                     const void *Registers, uint32_t Stride, bool IsColumns,
                     void *To);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_MATRIX_H
