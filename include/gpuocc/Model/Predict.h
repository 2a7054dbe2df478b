//===- Predict.h - The model ------------------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_MODEL_PREDICT_H
#define GPUOCC_MODEL_PREDICT_H

#include "gpuocc/Kernel/ExecutionProfile.h"
#include "gpuocc/Model/Occupancy.h"
#include "gpuocc/Model/Parallelism.h"
#include "gpuocc/Model/PredictDetail.h"
#include "gpuocc/Model/Prediction.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <memory>

namespace gpuocc {

class DeviceNumbers;
class Numbers;
struct DeviceModel;

/// What one block of \p Facts takes under \p L.
BlockResources blockResources(const KernelFacts &Facts, const Launch &L);

/// Predicts how \p Facts run on \p Device under \p L, with the counts of
/// \p Profile. Volkov 2016, chapters 3 and 6; docs/model.md says where we
/// differ. Numbers that the device lacks are borrowed and named in
/// Prediction::Borrowed.
Prediction predict(const KernelFacts &Facts, const ExecutionProfile &Profile,
                   const Launch &L, const DeviceModel &Device,
                   PredictDetail Detail = PredictDetail::Full);

/// Makes many predictions for one device, whose numbers it looks up once.
class Predictor {
public:
  /// \p Device must outlive the predictor and not change. Predictions are made
  /// with the mechanisms of \p Used.
  explicit Predictor(const DeviceModel &Device, const Mechanisms &Used = {});
  ~Predictor();

  /// The device without the numbers of mechanisms that are left out.
  const DeviceModel &device() const;
  const Mechanisms &mechanisms() const;

  /// As gpuocc::predict.
  Prediction predict(const KernelFacts &Facts, const ExecutionProfile &Profile,
                     const Launch &L,
                     PredictDetail Detail = PredictDetail::Full);

  /// By what factor, at least 1, \p P, which is the prediction of the same, is
  /// off where all numbers that it borrowed are \p Factor times slower; \p
  /// Factor itself where some of them are neither times nor rates.
  double offByBorrowed(const KernelFacts &Facts,
                       const ExecutionProfile &Profile, const Launch &L,
                       const Prediction &P, double Factor);

  /// As gpuocc::parallelism.
  Parallelism parallelism(const KernelFacts &Facts,
                          const ExecutionProfile &Profile, const Launch &L);

private:
  DeviceNumbers &numbersFor(llvm::ArrayRef<ClassCount> Mix, const Launch &L);
  Prediction predictWith(Numbers &N, const KernelFacts &Facts,
                         const ExecutionProfile &Profile, const Launch &L,
                         PredictDetail Detail) const;

  std::unique_ptr<DeviceNumbers> Shared;
  /// The device while tensor cores work; null before it is asked for.
  std::unique_ptr<const DeviceModel> TensorDevice;
  std::unique_ptr<DeviceNumbers> TensorShared;
  /// With slower borrowed numbers, by the numbers that they are made of.
  std::map<const DeviceNumbers *, std::unique_ptr<DeviceNumbers>> Slower;
};

} // namespace gpuocc

#endif // GPUOCC_MODEL_PREDICT_H
