//===- OperationPlaces.h - Locations of operations --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// MLIR's locations are trees (names, call sites, fusions) of which debug
/// information keeps a part. While a copy is lowered its operations are
/// numbered instead, and facts get the places of the numbers back.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_READMLIR_OPERATIONPLACES_H
#define GPUOCC_READMLIR_OPERATIONPLACES_H

#include "gpuocc/Support/SourceLocation.h"
#include "mlir/IR/Location.h"
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace mlir {
class Operation;
} // namespace mlir

namespace gpuocc {

struct KernelFacts;

/// The places that \p Loc names, innermost first: the child of a name, callee
/// and callers of a call site, of a fusion the first that names one. Empty
/// where it names no file.
SourceLocation placesOf(mlir::Location Loc);

/// Places by number.
class PlaceTable {
public:
  /// Gives \p Root and all in it locations that are numbers. What has no place
  /// has that of the operation around it.
  void number(mlir::Operation *Root);

  /// The places behind \p Loc, a number.
  SourceLocation placesOf(mlir::Location Loc) const;

  /// Replaces the numbers in \p Facts by places.
  void restore(KernelFacts &Facts) const;

private:
  SourceLocation numberOf(mlir::Operation *Op, const SourceLocation &Around);
  std::vector<SourcePlace> placesOf(const SourcePlace &Number) const;

  /// By number; the columns of first places are not part of it.
  std::vector<SourceLocation> Places;
  std::map<std::string, unsigned> Numbers;
};

/// The locations of operations by the place that they show.
class LocationIndex {
public:
  explicit LocationIndex(mlir::Operation *Root);

  /// The location of the first operation at \p Place; where there is none at
  /// its column, at its line; where there is none, \p Otherwise or, if \p Place
  /// is valid, a location that is no operation's.
  mlir::Location find(const SourcePlace &Place, mlir::Location Otherwise) const;

private:
  /// By file, line and column; column 0 stands for the line.
  std::map<std::tuple<std::string, unsigned, unsigned>, mlir::Location> First;
};

} // namespace gpuocc

#endif // GPUOCC_READMLIR_OPERATIONPLACES_H
