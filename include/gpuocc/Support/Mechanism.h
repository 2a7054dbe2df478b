//===- Mechanism.h - What predictions can do without ------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The mechanisms that make up a prediction, each with a switch, so that what
/// one of them is worth can be measured. Faces parse names; libraries receive
/// a value.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_MECHANISM_H
#define GPUOCC_SUPPORT_MECHANISM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <bitset>
#include <cstdint>
#include <string>

namespace gpuocc {

enum class Mechanism : uint8_t {
#define MECHANISM(Enum, Kind, Stage, Key, Description) Enum,
#include "gpuocc/Support/Mechanisms.def"
};

constexpr unsigned NumMechanisms = 0
#define MECHANISM(Enum, Kind, Stage, Key, Description) +1
#include "gpuocc/Support/Mechanisms.def"
    ;

/// What a mechanism speaks of: the hardware, what is unknown, or what a
/// compiler makes of code.
enum class MechanismKind : uint8_t { Model, Prior, Ptxas, Nvcc };

/// What depends on a mechanism first: the facts of a kernel, or what is made of
/// them.
enum class MechanismStage : uint8_t { Read, Predict };

struct MechanismInfo {
  llvm::StringLiteral Key;
  MechanismKind Kind;
  MechanismStage Stage;
  /// A clause: what predictions have with it.
  llvm::StringLiteral Description;
};

const MechanismInfo &mechanismInfo(Mechanism M);

/// The word for \p Kind: "model", "prior", "ptxas", "nvcc".
llvm::StringRef mechanismKindKey(MechanismKind Kind);

/// The mechanisms that are used: all, but for those that were left out.
class Mechanisms {
public:
  bool has(Mechanism M) const { return !LeftOut.test(size_t(M)); }
  bool hasAll() const { return LeftOut.none(); }
  void leaveOut(Mechanism M) { LeftOut.set(size_t(M)); }
  /// Those that are not used, in the order of the table.
  llvm::SmallVector<Mechanism, 2> leftOut() const;
  bool operator==(const Mechanisms &) const = default;

private:
  std::bitset<NumMechanisms> LeftOut;
};

/// The mechanism with the key \p Name. Fails for a name that is none, and names
/// the nearest one.
llvm::Expected<Mechanism> parseMechanism(llvm::StringRef Name);

/// Leaves out of \p Used what \p Names, keys separated by commas, list. Fails
/// as parseMechanism().
llvm::Error leaveOut(llvm::StringRef Names, Mechanisms &Used);

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_MECHANISM_H
