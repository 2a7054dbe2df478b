//===- AddressAt.h - Integers that one thread computes ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_WHATIF_ADDRESSAT_H
#define GPUOCC_LIB_WHATIF_ADDRESSAT_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/Launch.h"
#include <array>
#include <map>
#include <optional>

namespace gpuocc {

/// The number that \p Launched gives for what \p Op, a parameter, reads as its
/// result \p Result; nothing for pointers, and where nobody gave one.
std::optional<int64_t> argumentOf(const KernelFacts &Facts,
                                  const Launch &Launched, const Operation &Op,
                                  uint16_t Result);

/// Integers of one thread of a launch, in the first pass through all loops but
/// one.
class AddressAt {
public:
  /// Where the thread is, x, y and z.
  struct Place {
    std::array<int64_t, 3> Thread = {}, Block = {};
  };

  /// \p SecondPass is the loop in whose second pass the thread is; NoIndex for
  /// none.
  AddressAt(const KernelFacts &Facts, const Launch &Launched, const Place &At,
            uint32_t SecondPass = NoIndex)
      : Facts(Facts), Launched(Launched), At(At), SecondPass(SecondPass) {}

  /// The value of \p O, where arrays begin at 0, and those in shared memory
  /// where the block has them; nothing where it is loaded, or
  /// computed in ways that addresses rarely are.
  std::optional<int64_t> of(const Operand &O) { return within(O, MostDeep); }

  /// Takes the lowest of what sides of a branch set that are known, such as
  /// where the loops begin that an unrolled one became.
  AddressAt &fromAnySide() {
    TakesSides = true;
    return *this;
  }

private:
  static constexpr unsigned MostDeep = 64;

  const KernelFacts &Facts;
  const Launch &Launched;
  const Place At;
  uint32_t SecondPass;
  bool TakesSides = false;
  std::map<uint32_t, std::optional<int64_t>> Found;

  std::optional<int64_t> within(const Operand &O, unsigned Deep);
  std::optional<int64_t> compute(const Operation &Op, uint16_t Result,
                                 unsigned Deep);
  std::optional<int64_t> phi(const Operation &Op, unsigned Deep);
  std::optional<int64_t> parameter(const Operation &Op, uint16_t Result) const;
  std::optional<int64_t> special(SpecialReg R) const;
  std::optional<int64_t> sharedSymbol(const Operand &O) const;
};

} // namespace gpuocc

#endif // GPUOCC_LIB_WHATIF_ADDRESSAT_H
