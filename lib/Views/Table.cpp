//===- Table.cpp - Rows of text in columns --------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>

using namespace gpuocc;
using namespace llvm;

Table::Table(Row Head, ArrayRef<size_t> RightAligned)
    : RightAligned(RightAligned.begin(), RightAligned.end()) {
  Rows.push_back(std::move(Head));
}

void Table::add(Row R) {
  for (std::string &Cell : R)
    Cell = printable(Cell);
  Rows.push_back(std::move(R));
}

void Table::print(raw_ostream &OS) const {
  SmallVector<size_t, 6> Widths(Rows.front().size());
  for (const Row &R : Rows)
    for (size_t I = 0; I != R.size(); ++I)
      Widths[I] = std::max(Widths[I], R[I].size());
  for (const Row &R : Rows) {
    std::string Line;
    for (size_t I = 0; I != R.size(); ++I) {
      std::string Fill(Widths[I] - R[I].size(), ' ');
      Line += is_contained(RightAligned, I) ? "  " + Fill + R[I]
                                            : "  " + R[I] + Fill;
    }
    OS << StringRef(Line).rtrim() << '\n';
  }
}
