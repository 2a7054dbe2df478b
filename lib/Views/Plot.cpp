//===- LogPlot.cpp - A drawing with logarithmic axes ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LogPlot.h"
#include "gpuocc/Report/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

void LogRange::include(double Value) {
  if (!(Value > 0) || !std::isfinite(Value))
    return;
  Least = std::min(Least, Value);
  Most = std::max(Most, Value);
}

LogPlot::LogPlot(unsigned Columns, unsigned NumRows, LogRange X, LogRange Y)
    : X(X), Y(Y), Width(std::max(2, int(Columns) - int(Margin))),
      Height(std::max(2, int(NumRows))), Rows(Height, std::string(Width, ' ')) {
}

/// The place of \p Value among \p Places of \p Range; -1 outside of it.
static int placeOf(double Value, const LogRange &Range, int Places) {
  if (!(Value > 0))
    return -1;
  const double Part =
      std::log(Value / Range.Least) / std::log(Range.Most / Range.Least);
  const int Place = int(std::lround(Part * (Places - 1)));
  return Place < Places ? std::max(Place, -1) : -1;
}

int LogPlot::columnOf(double Value) const { return placeOf(Value, X, Width); }

int LogPlot::rowOf(double Value) const {
  const int FromBelow = placeOf(Value, Y, Height);
  return FromBelow < 0 ? -1 : Height - 1 - FromBelow;
}

double LogPlot::valueOfColumn(int Column) const {
  return X.Least * std::pow(X.Most / X.Least, double(Column) / (Width - 1));
}

void LogPlot::put(int Column, int Row, char Mark) {
  if (Column >= 0 && Row >= 0)
    Rows[Row][Column] = Mark;
}

void LogPlot::point(double PX, double PY, char Mark) {
  put(columnOf(PX), rowOf(PY), Mark);
}

void LogPlot::horizontal(double At, double FromX, char Mark) {
  for (int Column = 0; Column != Width; ++Column)
    if (valueOfColumn(Column) >= FromX)
      put(Column, rowOf(At), Mark);
}

void LogPlot::vertical(double At, char Mark) {
  for (int Row = 0; Row != Height; ++Row)
    put(columnOf(At), Row, Mark);
}

void LogPlot::diagonal(double Slope, double MostY, char Mark) {
  for (int Column = 0; Column != Width; ++Column)
    if (double At = Slope * valueOfColumn(Column); At <= MostY)
      put(Column, rowOf(At), Mark);
}

void LogPlot::print(StringRef XTitle, StringRef YTitle, raw_ostream &OS) const {
  OS << YTitle << '\n';
  std::vector<std::string> Labels(Height);
  for (int Power = int(std::floor(std::log10(Y.Least)));
       Power <= std::ceil(std::log10(Y.Most)); ++Power)
    if (int Row = rowOf(std::pow(10, Power)); Row >= 0)
      Labels[Row] = formatNumber(std::pow(10, Power));
  for (int Row = 0; Row != Height; ++Row) {
    const std::string Line =
        formatv("{0,7} |", StringRef(Labels[Row]).take_front(7)).str() +
        Rows[Row];
    OS << StringRef(Line).rtrim() << '\n';
  }
  OS << "        +" << std::string(Width, '-') << '\n';
  std::string Ticks(Width, ' ');
  size_t Free = 0;
  for (int Power = int(std::floor(std::log10(X.Least)));
       Power <= std::ceil(std::log10(X.Most)); ++Power) {
    const std::string Label = formatNumber(std::pow(10, Power));
    const int Column = columnOf(std::pow(10, Power));
    if (Column < 0 || size_t(Column) < Free ||
        Column + Label.size() > Ticks.size())
      continue;
    Ticks.replace(Column, Label.size(), Label);
    Free = Column + Label.size() + 1;
  }
  const std::string Line = std::string(Margin, ' ') + Ticks;
  OS << StringRef(Line).rtrim() << '\n'
     << std::string(Margin, ' ') << XTitle << '\n';
}
