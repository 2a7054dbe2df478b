//===- AblationSet.h - Recorded sets without a mechanism --------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_ACCURACY_ABLATIONSET_H
#define GPUOCC_TOOLS_ACCURACY_ABLATIONSET_H

#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/Support/Mechanism.h"
#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gpuocc {

struct SourceOptions;

/// One way through a recorded set.
struct AblationRun {
  /// The mechanism that is left out; nothing for none.
  std::optional<Mechanism> Without;

  Mechanisms used() const;
  /// The facts of kernels differ from those of the run without any left out.
  bool readsAnew() const;
};

/// How far the predictions of a set are off.
struct AblationFigures {
  /// Of each launch, times off: 1 is right.
  std::vector<double> TimesOff, InstructionsOff;
  /// Of each launch, how far the mix of instructions is off (mixDistance).
  std::vector<double> MixesOff;
  unsigned LimitersJudged = 0, LimitersRight = 0;

  /// Geometric means; nothing where the set has no such measurement.
  std::optional<double> time() const;
  std::optional<double> instructions() const;
  /// The greatest of TimesOff; nothing without any.
  std::optional<double> worstTime() const;
  /// Arithmetic mean; nothing where the set has no such measurement.
  std::optional<double> mix() const;
  /// Share of the launches whose limiter agrees.
  std::optional<double> limiter() const;
};

/// A recorded set.
class AblationSet {
public:
  virtual ~AblationSet() = default;
  virtual llvm::Expected<AblationFigures> predict(const AblationRun &Run) = 0;
};

/// Facts of sources, read once for all runs that do not read anew.
class AblationSources {
public:
  /// What \p Options say of \p File in \p Run.
  llvm::Expected<FactsFile> read(llvm::StringRef File,
                                 const SourceOptions &Options,
                                 const AblationRun &Run);

private:
  std::map<std::string, FactsFile> Kept;
};

/// The grids of mixes that calibration recorded of \p Device.
llvm::Expected<std::unique_ptr<AblationSet>>
createAlphaSet(llvm::StringRef Device);

/// test/golden/streams.
llvm::Expected<std::unique_ptr<AblationSet>>
createStreamSet(llvm::StringRef Device);

/// The bundled examples, docs/examples.
llvm::Expected<std::unique_ptr<AblationSet>>
createExampleSet(llvm::StringRef Device);

/// Both kernels of each pair, test/accuracy/pairs.
llvm::Expected<std::unique_ptr<AblationSet>>
createPairSet(llvm::StringRef Device);

/// Kernels measured with hardware counters.
struct CaseSetOptions {
  /// As the options of `kernels`.
  std::string Truth, Sources, Launches, Facts, Only, Device;
  std::string Record = "on", Code = "clang";
};
llvm::Expected<std::unique_ptr<AblationSet>>
createCaseSet(CaseSetOptions Options);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_ACCURACY_ABLATIONSET_H
