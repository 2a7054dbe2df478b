//===- EmitFindings.h - Reports at operations of MLIR -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_MLIRPLUGIN_EMITFINDINGS_H
#define GPUOCC_TOOLS_MLIRPLUGIN_EMITFINDINGS_H

#include "gpuocc/ReadMLIR/OperationPlaces.h"
#include "gpuocc/Report/Report.h"
#include "mlir/IR/Operation.h"

namespace gpuocc {

/// Which findings become remarks.
enum class MlirRemarks {
  None,
  /// Kernels that cannot be lowered, and no reports.
  NotLowered,
  /// The verdict, what costs time, and what was not analyzed.
  Costly,
  /// The evidence too.
  All
};

/// Collects what is to be told, and tells it at the locations of operations.
class FindingEmitter {
public:
  FindingEmitter(const LocationIndex &Locations, MlirRemarks Wanted,
                 unsigned MaxFindings)
      : Locations(Locations), Wanted(Wanted), MaxFindings(MaxFindings) {}

  /// The findings of one launch of \p Kernel.
  void add(const KernelReport &R, mlir::Operation *Kernel);

  /// That something of \p Kernel was not analyzed.
  void addNotAnalyzed(llvm::StringRef Kernel, std::string Text,
                      mlir::Location Loc);

  /// Tells what was added: through the remark engine of the context, whose
  /// filters choose (`--remarks-filter` of mlir-opt), or where that takes none
  /// of it, as diagnostics.
  void tell();

private:
  struct Told {
    RemarkKind Kind;
    std::string Name, Kernel;
    std::vector<Evidence> Message;
    mlir::Location Loc;

    std::string text() const;
  };

  void add(const Finding &F, const KernelReport &R, mlir::Location OfKernel);
  static bool toEngine(const Told &What);

  const LocationIndex &Locations;
  MlirRemarks Wanted;
  unsigned MaxFindings;
  std::vector<Told> All;
};

/// Gives \p Kernel attributes `gpu_occupancy.*` that say what \p Launches, its
/// reports, predict: those of the launch that takes longest, and
/// `gpu_occupancy.launches` where there are several.
void annotateKernel(mlir::Operation *Kernel,
                    const std::vector<const KernelReport *> &Launches);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_MLIRPLUGIN_EMITFINDINGS_H
