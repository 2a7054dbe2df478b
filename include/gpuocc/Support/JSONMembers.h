//===- JSONMembers.h - Parts of the text of an object -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The tree of a document takes many times its text and its reading. Where few
/// members of large objects are wanted, the others are passed over first.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_JSONMEMBERS_H
#define GPUOCC_SUPPORT_JSONMEMBERS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// The index of the quote that ends the string whose quote is at \p Begin; npos
/// where it has none.
size_t endOfJSONString(llvm::StringRef Text, size_t Begin);

/// The text of \p Object with those members only whose keys \p IsWanted, as
/// they are spelled. What the others hold is not looked at beyond quotes and
/// brackets. \p Object itself where it is no object, so that a parser says why.
std::string keepMembers(llvm::StringRef Object,
                        llvm::function_ref<bool(llvm::StringRef)> IsWanted);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_JSONMEMBERS_H
