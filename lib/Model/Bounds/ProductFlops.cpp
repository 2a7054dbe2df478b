//===- ProductFlops.cpp - Arithmetic of warp groups -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bounds/ProductFlops.h"
#include "gpuocc/Support/InstTraits.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct ElementRow {
  StringLiteral Suffix;
  FlopKind Kind;
  unsigned Bytes;
};
} // namespace

static constexpr ElementRow Elements[] = {
    {".bf16", FlopKind::TensorBf16, 2}, {".f16", FlopKind::TensorFp16, 2},
    {".tf32", FlopKind::TensorTf32, 4}, {".s8", FlopKind::TensorInt8, 1},
    {".u8", FlopKind::TensorInt8, 1},
};

static WarpFlops flopsOf(InstClass Class, const ElementRow &Row) {
  constexpr double RowsOfWarp = 16, BytesBetween = 32;
  return {Row.Kind,
          2 * RowsOfWarp * warpGroupColumns(Class) * BytesBetween / Row.Bytes};
}

WarpFlops gpuocc::productFlops(InstClass Class, FlopKind Kind) {
  if (warpGroupColumns(Class) != 0)
    for (const ElementRow &Row : Elements)
      if (Row.Kind == Kind)
        return flopsOf(Class, Row);
  return {};
}

WarpFlops gpuocc::productFlops(InstClass Class, const Operation &Op) {
  if (warpGroupColumns(Class) != 0)
    for (const ElementRow &Row : Elements)
      if (StringRef(Op.Opcode).ends_with(Row.Suffix))
        return flopsOf(Class, Row);
  return {};
}
