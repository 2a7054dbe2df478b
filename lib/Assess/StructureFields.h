//===- StructureFields.h - Fields of an array of structures -----*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes that lie apart since each takes fields of a structure of its own.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_STRUCTUREFIELDS_H
#define GPUOCC_LIB_ASSESS_STRUCTUREFIELDS_H

#include "AccessGroups.h"
#include <optional>

namespace gpuocc {

/// How an array of structures could be laid out.
struct StructureFields {
  /// From one structure to the next.
  uint64_t Bytes = 0;
  /// Most of a structure is used, and it has whole words of 16 B.
  bool FitsVectors = false;
};

/// The structures whose fields \p Group takes: neighbouring lanes take
/// neighbouring ones through a parameter that points to structures. Nothing
/// where lanes lie apart for another reason, or one is not seen.
std::optional<StructureFields> structureFields(const Case &C,
                                               const AccessGroup &Group);

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_STRUCTUREFIELDS_H
