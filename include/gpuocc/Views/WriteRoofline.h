//===- WriteRoofline.h - Rates and the roofline at a terminal ---*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_VIEWS_WRITEROOFLINE_H
#define GPUOCC_VIEWS_WRITEROOFLINE_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

struct DeviceModel;
struct Rates;
struct Roofline;

/// Writes a table of \p R: each rate, its peak and its percent of that.
void writeRates(const Rates &R, llvm::raw_ostream &OS);

/// Draws \p R with both axes logarithmic in at most \p Columns columns, and
/// writes its points, walls and ceilings below. Fewer than 40 columns are not
/// enough for the drawing, which is then left out.
void writeRoofline(const Roofline &R, unsigned Columns, llvm::raw_ostream &OS);

/// Writes the ceilings of the instruction roofline of \p Device: GIPS of issue
/// and pipes, GTXN/s of the levels of memory.
void writeDeviceRoofline(const DeviceModel &Device, llvm::raw_ostream &OS);

} // namespace gpuocc

#endif // GPUOCC_VIEWS_WRITEROOFLINE_H
