//===- PackData.h - Data of large pages -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PACKDATA_H
#define GPUOCC_LIB_VIEWS_PACKDATA_H

#include "llvm/Support/JSON.h"
#include <string>

namespace gpuocc {

/// The text of \p Data, an object with an array "kernels", in fewer bytes;
/// dataOf() in Page/html/1-words.js is the inverse but for the digits. Numbers
/// of "kernels" have four digits, alike objects of an array are columns under
/// keys ("$k", "$c"), and what stands in several places is there once
/// ("$values", "$v").
std::string packData(const llvm::json::Value &Data);

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PACKDATA_H
