//===- InstClasses.h - The classes of machine instructions -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The names of the instruction classes, apart from their type: a row added to
/// InstClass.def rebuilds the code that names classes, not all that holds one.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_INSTCLASSES_H
#define GPUOCC_SUPPORT_INSTCLASSES_H

#include "gpuocc/Support/InstClass.h"

namespace gpuocc {

/// Rows of InstClass.def.
enum class InstClass : uint8_t {
#define INST_CLASS(Enum, Key, Pipe) Enum,
#include "gpuocc/Support/InstClass.def"
};

/// Number of rows in InstClass.def.
constexpr unsigned NumInstClasses = 0
#define INST_CLASS(Enum, Key, Pipe) +1
#include "gpuocc/Support/InstClass.def"
    ;

static_assert(InstClass{} == InstClass::Unknown,
              "the first row of InstClass.def is the unknown class");

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_INSTCLASSES_H
