//===- LaunchOrigin.cpp - Who gave a value of a launch --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/LaunchOrigin.h"
#include "llvm/ADT/Twine.h"

using namespace gpuocc;
using namespace llvm;

namespace {
struct OriginRow {
  GivenBy By;
  StringLiteral Word;
  /// The word is followed by a place.
  bool HasPlace;
};
} // namespace

/// How the text of each origin begins; a user's is free.
static constexpr OriginRow OriginRows[] = {
    {GivenBy::Nobody, "default", false},
    {GivenBy::LaunchBounds, "launch bounds", false},
    {GivenBy::RequiredBlock, "required block size", false},
    {GivenBy::Option, "--launch", false},
    {GivenBy::HostCode, "launch at ", true},
};

static StringRef wordOf(GivenBy By) {
  for (const OriginRow &Row : OriginRows)
    if (Row.By == By)
      return Row.Word;
  return "";
}

LaunchOrigin::LaunchOrigin(GivenBy By) : By(By), Text(wordOf(By)) {}

LaunchOrigin::LaunchOrigin(std::string From) : Text(std::move(From)) {
  for (const OriginRow &Row : OriginRows)
    if (Row.HasPlace ? StringRef(Text).starts_with(Row.Word) : Text == Row.Word)
      By = Row.By;
}

LaunchOrigin LaunchOrigin::hostCode(StringRef File, unsigned Line) {
  return (wordOf(GivenBy::HostCode) + File + ":" + Twine(Line)).str();
}

StringRef LaunchOrigin::place() const {
  return StringRef(Text).drop_front(wordOf(By).size());
}
