//===- AsNvcc.h - Sources as nvcc reads them -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc and clang agree about what a CUDA source means, not about everything
/// that it leaves open. A kernel that nvcc builds is judged by the code that
/// clang makes of it after these changes to its syntax tree.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READCLANG_ASNVCC_H
#define GPUOCC_READCLANG_ASNVCC_H

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace gpuocc {

/// Changes \p D, which has been parsed or instantiated and for which no code
/// has been generated yet, to what nvcc makes of it:
///
/// - A cast promises the alignment of the type that is cast to:
///   `*(float4 *)&Tile[I]` is one access of 16 bytes. Clang trusts what it
///   knows of the array `Tile` more and makes four accesses of four bytes.
/// - A `const` variable is in constant memory only if it is `__constant__`.
///   Clang moves all there whose initializers are constant.
/// - `pow(x, 2)` is the pow of doubles, as in <cmath>. Clang's headers add
///   functions that multiply.
///
/// Templates are left alone, their instantiations are changed. Doing it twice
/// changes nothing more.
void readAsNvcc(clang::ASTContext &Context, clang::Decl &D);

} // namespace gpuocc

#endif // GPUOCC_READCLANG_ASNVCC_H
