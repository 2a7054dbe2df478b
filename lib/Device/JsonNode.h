//===- JsonNode.h - JSON values that know their place ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reading a JSON document with errors that name file and place. The first
/// thing wrong is kept; after it, reads return empty values, so a reader is
/// straight code with one check at its end.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_DEVICE_JSONNODE_H
#define GPUOCC_LIB_DEVICE_JSONNODE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gpuocc {

/// Keeps the first thing wrong with a document.
class JsonDiagnostics {
public:
  explicit JsonDiagnostics(llvm::StringRef FileName) : FileName(FileName) {}

  void report(const llvm::Twine &Place, const llvm::Twine &What);
  bool failed() const { return !First.empty(); }

  /// Success, or "'file': place: what is wrong".
  llvm::Error takeError() const;

private:
  std::string FileName;
  std::string First;
};

/// A value in a document that knows where it is. Databases are read in every
/// compilation and are nearly always right, so the place is looked for only
/// when there is something to report.
class JsonNode {
public:
  /// The top of \p Value.
  JsonNode(const llvm::json::Value &Value, JsonDiagnostics &Diags)
      : JsonNode(Value, Value, Diags) {}

  /// The way from the top: `chip.sm_count.value`, or `instructions["fp32.fma"]`
  /// where a key is more than a name.
  std::string place() const;
  const llvm::json::Value &value() const { return *Value; }
  void report(const llvm::Twine &What) const;

  /// The value as what it has to be; anything else is reported.
  std::string text() const;
  double number() const;
  unsigned count() const;
  bool flag() const;

  /// The members of an object, sorted by key.
  std::vector<std::pair<llvm::StringRef, JsonNode>> members() const;
  /// The elements of an array.
  std::vector<JsonNode> elements() const;

  /// A member that may be missing.
  std::optional<JsonNode> find(llvm::StringRef Key) const;
  /// A member that must be there; a missing one is reported.
  std::optional<JsonNode> require(llvm::StringRef Key) const;

  /// Reports a value that is no object, and the first member that is not in
  /// \p Valid, with the nearest that is.
  void checkKeys(llvm::ArrayRef<llvm::StringRef> Valid) const;

  /// Reports that this member's key is none of \p Valid.
  void reportUnknownKey(llvm::StringRef Key,
                        llvm::ArrayRef<llvm::StringRef> Valid) const;

private:
  JsonNode(const llvm::json::Value &Top, const llvm::json::Value &Value,
           JsonDiagnostics &Diags)
      : Top(&Top), Value(&Value), Diags(&Diags) {}

  JsonNode child(const llvm::json::Value &V) const {
    return JsonNode(*Top, V, *Diags);
  }

  const llvm::json::Value *Top;
  const llvm::json::Value *Value;
  JsonDiagnostics *Diags;
};

/// A step to \p Key in a place: ".key", or "[\"a.b\"]" when it is no name.
std::string jsonPlaceStep(llvm::StringRef Key);

/// Parses \p Text; a syntax error names \p FileName, line and column.
llvm::Expected<llvm::json::Value> parseJsonText(llvm::StringRef Text,
                                                llvm::StringRef FileName);

} // namespace gpuocc

#endif // GPUOCC_LIB_DEVICE_JSONNODE_H
