//===- LaunchOrigin.h - Who gave a value of a launch -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_LAUNCHORIGIN_H
#define GPUOCC_KERNEL_LAUNCHORIGIN_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace gpuocc {

/// Who gave a value of a launch.
enum class GivenBy : uint8_t {
  /// Nobody: results that rest on it are assumptions.
  Nobody,
  /// The attributes of the kernel.
  LaunchBounds,
  RequiredBlock,
  HostCode,
  /// An option of the command line.
  Option,
  /// A configuration file, a record, or whatever else names itself.
  User
};

/// Who gave a value of a launch, and where: the text that reports show and the
/// class that code asks for. The text decides the class, so that a report that
/// is read back has both.
class LaunchOrigin {
public:
  /// A user that has no name.
  LaunchOrigin() = default;
  /// Without a place, as Nobody, LaunchBounds, RequiredBlock and Option are.
  LaunchOrigin(GivenBy By);
  /// Reads what text() returned; any other text names a user.
  LaunchOrigin(std::string Text);
  LaunchOrigin(const char *Text) : LaunchOrigin(std::string(Text)) {}

  /// Host code that launches a kernel at \p File, line \p Line.
  static LaunchOrigin hostCode(llvm::StringRef File, unsigned Line);

  GivenBy by() const { return By; }
  /// True when an option, a file or host code gave it.
  bool isGiven() const { return isUsers() || By == GivenBy::HostCode; }
  /// True when a user gave it, by option or file.
  bool isUsers() const { return By == GivenBy::Option || By == GivenBy::User; }

  /// "default", "launch bounds", "--launch", "launch at demo.cu:12",
  /// ".gpu-occupancy:4".
  const std::string &text() const { return Text; }
  /// The text without the word for who it is: "demo.cu:12".
  llvm::StringRef place() const;

  bool operator==(const LaunchOrigin &) const = default;

private:
  GivenBy By = GivenBy::User;
  std::string Text;
};

/// A value and where it came from.
template <typename T> struct Sourced {
  T Value{};
  LaunchOrigin Source;

  bool operator==(const Sourced &) const = default;
};

} // namespace gpuocc

#endif // GPUOCC_KERNEL_LAUNCHORIGIN_H
