//===- HostLaunch.h - A launch as host code writes it ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the compiler knows of `kernel<<<grid, block, shared>>>(arguments)`:
/// numbers where they are constant, otherwise expressions of host variables,
/// which become numbers when somebody gives those variables.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_HOSTLAUNCH_H
#define GPUOCC_KERNEL_HOSTLAUNCH_H

#include "gpuocc/Kernel/Launch.h"
#include "gpuocc/Support/SourceLocation.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <vector>

namespace gpuocc {

/// An expression over host variables.
struct HostExpr {
  enum class Kind : uint8_t {
    Number,
    /// A variable, or whatever else has no value at compile time.
    Variable,
    /// Name is an operator of C ("+", "?:", "neg" for unary minus), a function
    /// ("min", "max", "ceil", "floor"), or a conversion ("int32", "uint64",
    /// "float32").
    Operation
  };
  Kind What = Kind::Number;
  ScalarArgument Value;
  std::string Name;
  std::vector<HostExpr> Operands;

  static HostExpr number(int64_t Value);
  static HostExpr variable(std::string Name);
  /// A number when the operands are numbers.
  static HostExpr operation(std::string Name, std::vector<HostExpr> Operands);

  bool operator==(const HostExpr &) const = default;
};

/// Values of host variables by name.
using HostVariables = std::map<std::string, ScalarArgument>;

/// The value of \p E where \p Variables have the values given; unknown when one
/// of its variables is not given (the reason names it) or it has none, as after
/// a division by zero. Integers are 64 bits wide between conversions.
Known<ScalarArgument> evaluate(const HostExpr &E,
                               const HostVariables &Variables);

/// \p E as C writes it, without conversions: "(n + 255) / 256".
std::string hostExprText(const HostExpr &E);

/// The variable that \p E is, looking through conversions; empty when it is
/// none.
llvm::StringRef variableOf(const HostExpr &E);

/// Extents x, y, z.
using HostExtent = std::array<HostExpr, 3>;

/// "(n + 255) / 256", or "w / 16 x h / 16": without trailing ones.
std::string hostExtentText(const HostExtent &E);

/// A loop of host code each turn of which launches a kernel for another part of
/// its arrays: a row, an image.
struct LaunchesOfLoop {
  /// Turns of the loop, of nested ones together.
  HostExpr Turns;
  /// Parameters, by index, that point elsewhere in each turn, into an array
  /// that no other parameter points to, and numbers that are others in each
  /// turn, where no two parameters point to one array and nothing else is done
  /// in the loop.
  std::vector<unsigned> Moved;

  bool operator==(const LaunchesOfLoop &) const = default;
};

/// A place in host code that launches a kernel.
///
/// No Launch, since it has expressions of host variables where that has
/// numbers. resolveLaunches() makes a Launch of it.
struct HostLaunch {
  /// Mangled name of the kernel.
  std::string Kernel;
  SourcePlace Place;
  HostExtent Grid, Block;
  HostExpr DynamicSharedBytes;
  /// Absent where the launch says nothing about clusters.
  std::optional<HostExtent> Cluster;
  HostAllowance Allowed;
  /// Absent where it is in no such loop.
  std::optional<LaunchesOfLoop> InLoop;
  /// Scalar arguments, and null pointers, by parameter index.
  std::map<unsigned, HostExpr> Arguments;
  /// Scalar members of arguments that are structs: by parameter index, by their
  /// offset in bytes.
  std::map<unsigned, std::map<unsigned, HostExpr>> Members;
  /// Bytes from where pointers point to the ends of their arrays, by parameter
  /// index, where the allocation is seen.
  std::map<unsigned, HostExpr> ArrayBytes;

  bool operator==(const HostLaunch &) const = default;
};

llvm::json::Value toJSON(const HostLaunch &L);
bool fromJSON(const llvm::json::Value &J, HostLaunch &L, llvm::json::Path P);

/// Launches as a JSON array, the form in which one plugin hands them to the
/// other, and back.
std::string hostLaunchesText(const std::vector<HostLaunch> &Launches);
llvm::Expected<std::vector<HostLaunch>> parseHostLaunches(llvm::StringRef Text);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_HOSTLAUNCH_H
