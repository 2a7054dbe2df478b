//===- PackData.h - Data of large pages -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PACKDATA_H
#define GPUOCC_LIB_VIEWS_PACKDATA_H

#include "llvm/Support/JSON.h"

namespace gpuocc {

/// \p Data, an object with an array "kernels", in fewer bytes; dataOf() in
/// Page/html/1-words.js is the inverse but for the digits. Numbers have four
/// digits, of objects with the same keys in an array the keys are there once
/// ("$k", "$r"), and what several kernels hold is there once ("$values", "$v").
llvm::json::Value packData(const llvm::json::Value &Data);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PACKDATA_H
