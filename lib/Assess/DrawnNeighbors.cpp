//===- DrawnNeighbors.cpp - Loaded places next to each other --------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DrawnNeighbors.h"
#include "Geometry.h"
#include "Price.h"
#include "gpuocc/Kernel/ArrayOfAccess.h"
#include "gpuocc/Kernel/LoadedPlaces.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/WhatIf/AccessChanges.h"

using namespace gpuocc;

std::optional<double> gpuocc::timeOfDrawnNeighbors(const Case &C) {
  std::vector<AccessList> Drawn;
  double OfDrawn = 0, All = 0;
  for (uint32_t I = 0; I != C.Facts.Accesses.size(); ++I) {
    const MemoryAccess &A = C.Facts.Accesses[I];
    const AccessProfile &P = C.Profile.Accesses[I];
    const double Sectors = P.RequestsPerWarp * P.SectorsPerRequest;
    All += Sectors;
    if (!P.DrawnAddresses || !isInArrays(A.Space) || isAtomic(A.Kind) ||
        P.SectorsPerRequest <= P.IdealSectorsPerRequest)
      continue;
    OfDrawn += Sectors;
    Drawn.push_back({I});
  }
  if (Drawn.empty() || OfDrawn < NamedPlacesShare * All || !C.Predicted.Time)
    return std::nullopt;
  std::optional<KernelVariant> Next = changed(
      C, coalesceAccesses(std::move(Drawn),
                          geometryOf(C.Device, C.Predicted.BlocksPerSm)));
  if (!Next)
    return std::nullopt;
  const Prediction P = C.Model.predict(
      Next->Facts, Next->Profile, Next->Launched, PredictDetail::Comparison);
  if (!P.Time)
    return std::nullopt;
  return P.Time->Ns;
}
