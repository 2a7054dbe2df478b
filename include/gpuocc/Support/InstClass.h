//===- InstClass.h - Machine instruction classes and resources -*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The vocabulary that facts, device databases and the model share: classes of
/// machine instructions and the resources that execute them.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_INSTCLASS_H
#define GPUOCC_SUPPORT_INSTCLASS_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace gpuocc {

/// A hardware resource that can limit a kernel. Rows of Resource.def.
enum class Resource : uint8_t {
#define RESOURCE(Enum, Key, Title) Enum,
#include "gpuocc/Support/Resource.def"
};

/// Number of rows in Resource.def.
constexpr unsigned NumResources = 0
#define RESOURCE(Enum, Key, Title) +1
#include "gpuocc/Support/Resource.def"
    ;

/// A class of machine instructions timed alike. Code that names classes
/// includes InstClasses.h; InstClass{} is the unknown one.
enum class InstClass : uint8_t;

/// A value for each instruction class; index with `size_t(Class)`. Has room for
/// all values of InstClass, so that a new class changes no layout.
template <typename T>
using PerInstClass =
    std::array<T, size_t(std::numeric_limits<uint8_t>::max()) + 1>;

/// A value for each resource; index with `size_t(Resource)`.
template <typename T> using PerResource = std::array<T, NumResources>;

/// The key of \p R in reports, such as "dram".
llvm::StringRef resourceKey(Resource R);

/// What \p R is, in words, such as "DRAM bandwidth".
llvm::StringRef resourceTitle(Resource R);

/// The resource named \p Key, or nothing.
std::optional<Resource> parseResource(llvm::StringRef Key);

/// The key of \p C in databases and reports, such as "fp32.fma".
llvm::StringRef instClassKey(InstClass C);

/// The class named \p Key, or nothing.
std::optional<InstClass> parseInstClass(llvm::StringRef Key);

/// The pipe that executes \p C on Volta and later, from InstClass.def.
Resource defaultPipe(InstClass C);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_INSTCLASS_H
