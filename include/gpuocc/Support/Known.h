//===- Known.h - A value, or the reason why there is none ------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_KNOWN_H
#define GPUOCC_SUPPORT_KNOWN_H

#include <cassert>
#include <optional>
#include <string>
#include <utility>

namespace gpuocc {

/// A value that may be missing, with the reason when it is. Unknown is not
/// zero: whoever reads a Known must decide what a missing value means, and the
/// reason travels to the report.
template <typename T> class Known {
public:
  Known(T Value) : Value(std::move(Value)) {}

  static Known unknown(std::string Reason) {
    Known K;
    K.Why = std::move(Reason);
    return K;
  }

  explicit operator bool() const { return Value.has_value(); }

  const T &operator*() const {
    assert(Value && "reading an unknown value");
    return *Value;
  }
  const T *operator->() const { return &**this; }

  /// The value, or \p Default when unknown.
  T valueOr(T Default) const { return Value.value_or(std::move(Default)); }

  /// Why the value is missing; empty when it is known.
  const std::string &reason() const { return Why; }

  bool operator==(const Known &) const = default;

private:
  Known() = default;

  std::optional<T> Value;
  std::string Why;
};

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_KNOWN_H
