//===- LogPlot.h - A drawing with logarithmic axes --------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_LOGPLOT_H
#define GPUOCC_LIB_VIEWS_LOGPLOT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuocc {

/// The values that an axis spans; both positive.
struct LogRange {
  double Least = 1, Most = 10;
  /// Grows to hold \p Value; values that have no logarithm are left out.
  void include(double Value);
};

/// A drawing of characters. What is drawn later covers what is below it, and
/// what lies outside of the axes is left out.
class LogPlot {
public:
  /// Columns that an axis and its numbers take beside the drawing.
  static constexpr unsigned Margin = 9;

  LogPlot(unsigned Columns, unsigned Rows, LogRange X, LogRange Y);

  void point(double X, double Y, char Mark);
  /// Y = \p Y from \p FromX on.
  void horizontal(double Y, double FromX, char Mark);
  void vertical(double X, char Mark);
  /// Y = \p Slope x X as far as \p MostY.
  void diagonal(double Slope, double MostY, char Mark);

  /// The drawing, powers of ten along both axes, \p XTitle below.
  void print(llvm::StringRef XTitle, llvm::StringRef YTitle,
             llvm::raw_ostream &OS) const;

private:
  int columnOf(double X) const;
  int rowOf(double Y) const;
  double valueOfColumn(int Column) const;
  void put(int Column, int Row, char Mark);

  LogRange X, Y;
  int Width, Height;
  /// Top row first.
  std::vector<std::string> Rows;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_LOGPLOT_H
