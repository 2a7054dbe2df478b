//===- Message.h - Building the message of a finding -----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_ASSESS_MESSAGE_H
#define GPUOCC_LIB_ASSESS_MESSAGE_H

#include "PricedFinding.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Report/Report.h"
#include "gpuocc/Support/Plural.h"
#include "llvm/ADT/Twine.h"

namespace gpuocc {

/// A named argument of a remark.
inline Evidence named(llvm::StringRef Key, const llvm::Twine &Text) {
  return {Key.str(), Text.str()};
}

/// The same for records only: not a part of the sentence.
inline Evidence recordOnly(llvm::StringRef Key, const llvm::Twine &Text) {
  return {Key.str(), Text.str(), /*RecordOnly=*/true};
}

/// A finding and its message, written like a stream: text, named values.
class FindingWriter {
public:
  FindingWriter(RuleId Rule, SourceLocation Location) {
    F.Rule = Rule;
    F.Remark = ruleRemarkKind(Rule);
    F.Location = std::move(Location);
  }

  FindingWriter &operator<<(const llvm::Twine &Text) {
    F.Message.push_back({"", Text.str()});
    return *this;
  }

  FindingWriter &operator<<(Evidence E) {
    F.Message.push_back(std::move(E));
    return *this;
  }

  PricedFinding &finding() { return F; }

private:
  PricedFinding F;
};

/// The kernel itself as a location.
inline SourceLocation kernelLocation(const KernelFacts &Facts) {
  SourceLocation L;
  if (Facts.Place.isValid())
    L.Places = {Facts.Place};
  return L;
}

/// Location \p Index of \p Facts, or the kernel itself when there is none.
inline SourceLocation locationOrKernel(const KernelFacts &Facts,
                                       uint32_t Index) {
  if (Index < Facts.Locations.size() && Facts.Locations[Index].isValid())
    return Facts.Locations[Index];
  return kernelLocation(Facts);
}

} // namespace gpuocc

#endif // GPUOCC_LIB_ASSESS_MESSAGE_H
