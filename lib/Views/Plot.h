//===- Plot.h - A drawing of characters -------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_VIEWS_PLOT_H
#define GPUOCC_LIB_VIEWS_PLOT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace gpuocc {

enum class PlotScale { Linear, Logarithmic };

/// The values that an axis spans; both positive where it is logarithmic.
struct PlotAxis {
  double Least = 1, Most = 10;
  PlotScale Scale = PlotScale::Logarithmic;

  /// Grows to hold \p Value; values that have no place are left out.
  void include(double Value);
  /// Where \p Value lies between the ends: 0 to 1 within the axis.
  double partOf(double Value) const;
  double valueAt(double Part) const;
  /// Powers of ten, or multiples of a round step, some beyond the ends.
  std::vector<double> ticks() const;
};

/// A drawing of characters. What is drawn later covers what is below it, and
/// what lies outside of the axes is left out.
class Plot {
public:
  /// Columns that an axis and its numbers take beside the drawing.
  static constexpr unsigned Margin = 9;

  Plot(unsigned Columns, unsigned Rows, PlotAxis X, PlotAxis Y);

  void point(double X, double Y, char Mark);
  /// Y = \p Y from \p FromX on.
  void horizontal(double Y, double FromX, char Mark);
  void vertical(double X, char Mark);
  /// Y = \p Slope x X as far as \p MostY.
  void diagonal(double Slope, double MostY, char Mark);

  /// The drawing, ticks along both axes, \p XTitle below.
  void print(llvm::StringRef XTitle, llvm::StringRef YTitle,
             llvm::raw_ostream &OS) const;

private:
  int columnOf(double X) const;
  int rowOf(double Y) const;
  double valueOfColumn(int Column) const;
  void put(int Column, int Row, char Mark);

  PlotAxis X, Y;
  int Width, Height;
  /// Top row first.
  std::vector<std::string> Rows;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_VIEWS_PLOT_H
