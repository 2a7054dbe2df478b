//===- NoCode.cpp - No machine code is built in ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked where there was no ptxas when this was built.
//
//===----------------------------------------------------------------------===//

#include "BuiltInCode.h"

namespace gpuocc::calibration {

const BuiltInCode BuiltInCodes[] = {{0, 0, nullptr, nullptr}};
const size_t BuiltInCodeCount = 0;
const char BuiltInCodeMaker[] = "";

} // namespace gpuocc::calibration
