//===- Plot.cpp - A drawing of characters ---------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plot.h"
#include "gpuocc/Report/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

void PlotAxis::include(double Value) {
  if (!std::isfinite(Value) || (Scale == PlotScale::Logarithmic && Value <= 0))
    return;
  Least = std::min(Least, Value);
  Most = std::max(Most, Value);
}

double PlotAxis::partOf(double Value) const {
  return Scale == PlotScale::Linear
             ? (Value - Least) / (Most - Least)
             : std::log(Value / Least) / std::log(Most / Least);
}

double PlotAxis::valueAt(double Part) const {
  return Scale == PlotScale::Linear ? Least + Part * (Most - Least)
                                    : Least * std::pow(Most / Least, Part);
}

std::vector<double> PlotAxis::ticks() const {
  std::vector<double> Out;
  if (Scale == PlotScale::Logarithmic) {
    for (int Power = int(std::floor(std::log10(Least)));
         Power <= std::ceil(std::log10(Most)); ++Power)
      Out.push_back(std::pow(10, Power));
    return Out;
  }
  // The largest power of two times a power of ten that makes four steps.
  const double Wanted = (Most - Least) / 4;
  double Step = std::pow(10, std::floor(std::log10(Wanted)));
  while (Step * 2 <= Wanted)
    Step *= 2;
  for (double Value = std::ceil(Least / Step) * Step; Value <= Most;
       Value += Step)
    Out.push_back(Value);
  return Out;
}

Plot::Plot(unsigned Columns, unsigned NumRows, PlotAxis X, PlotAxis Y)
    : X(X), Y(Y), Width(std::max(2, int(Columns) - int(Margin))),
      Height(std::max(2, int(NumRows))), Rows(Height, std::string(Width, ' ')) {
}

/// The place of \p Value among \p Places of \p Axis; -1 outside of it.
static int placeOf(double Value, const PlotAxis &Axis, int Places) {
  if (!std::isfinite(Value) ||
      (Axis.Scale == PlotScale::Logarithmic && !(Value > 0)))
    return -1;
  const int Place = int(std::lround(Axis.partOf(Value) * (Places - 1)));
  return Place < Places ? std::max(Place, -1) : -1;
}

int Plot::columnOf(double Value) const { return placeOf(Value, X, Width); }

int Plot::rowOf(double Value) const {
  const int FromBelow = placeOf(Value, Y, Height);
  return FromBelow < 0 ? -1 : Height - 1 - FromBelow;
}

double Plot::valueOfColumn(int Column) const {
  return X.valueAt(double(Column) / (Width - 1));
}

void Plot::put(int Column, int Row, char Mark) {
  if (Column >= 0 && Row >= 0)
    Rows[Row][Column] = Mark;
}

void Plot::point(double PX, double PY, char Mark) {
  put(columnOf(PX), rowOf(PY), Mark);
}

void Plot::horizontal(double At, double FromX, char Mark) {
  for (int Column = 0; Column != Width; ++Column)
    if (valueOfColumn(Column) >= FromX)
      put(Column, rowOf(At), Mark);
}

void Plot::vertical(double At, char Mark) {
  for (int Row = 0; Row != Height; ++Row)
    put(columnOf(At), Row, Mark);
}

void Plot::diagonal(double Slope, double MostY, char Mark) {
  for (int Column = 0; Column != Width; ++Column)
    if (double At = Slope * valueOfColumn(Column); At <= MostY)
      put(Column, rowOf(At), Mark);
}

void Plot::print(StringRef XTitle, StringRef YTitle, raw_ostream &OS) const {
  OS << YTitle << '\n';
  std::vector<std::string> Labels(Height);
  for (double Tick : Y.ticks())
    if (int Row = rowOf(Tick); Row >= 0)
      Labels[Row] = formatNumber(Tick);
  for (int Row = 0; Row != Height; ++Row) {
    const std::string Line =
        formatv("{0,7} |", StringRef(Labels[Row]).take_front(7)).str() +
        Rows[Row];
    OS << StringRef(Line).rtrim() << '\n';
  }
  OS << "        +" << std::string(Width, '-') << '\n';
  std::string Ticks(Width, ' ');
  size_t Free = 0;
  for (double Tick : X.ticks()) {
    const std::string Label = formatNumber(Tick);
    const int Column = columnOf(Tick);
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
