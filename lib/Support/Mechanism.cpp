//===- Mechanism.cpp - What predictions can do without --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/Mechanism.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/StringExtras.h"

using namespace gpuocc;
using namespace llvm;

static constexpr MechanismInfo Infos[] = {
#define MECHANISM(Enum, Kind, Stage, Key, Description)                         \
  {Key, MechanismKind::Kind, MechanismStage::Stage, Description},
#include "gpuocc/Support/Mechanisms.def"
};

const MechanismInfo &gpuocc::mechanismInfo(Mechanism M) {
  return Infos[size_t(M)];
}

StringRef gpuocc::mechanismKindKey(MechanismKind Kind) {
  switch (Kind) {
  case MechanismKind::Model:
    return "model";
  case MechanismKind::Prior:
    return "prior";
  case MechanismKind::Ptxas:
    return "ptxas";
  case MechanismKind::Nvcc:
    return "nvcc";
  }
  return "";
}

Expected<Mechanism> gpuocc::parseMechanism(StringRef Name) {
  SmallVector<StringRef, NumMechanisms> Keys;
  for (unsigned M = 0; M != NumMechanisms; ++M) {
    if (Infos[M].Key == Name)
      return Mechanism(M);
    Keys.push_back(Infos[M].Key);
  }
  return createStringError("there is no mechanism '" + Name + "'" +
                           didYouMean(Name, Keys));
}

Error gpuocc::leaveOut(StringRef Names, Mechanisms &Used) {
  for (StringRef Name : split(Names, ',')) {
    Expected<Mechanism> M = parseMechanism(Name);
    if (!M)
      return M.takeError();
    Used.leaveOut(*M);
  }
  return Error::success();
}

SmallVector<Mechanism, 2> Mechanisms::leftOut() const {
  SmallVector<Mechanism, 2> Out;
  for (unsigned M = 0; M != NumMechanisms; ++M)
    if (!has(Mechanism(M)))
      Out.push_back(Mechanism(M));
  return Out;
}
