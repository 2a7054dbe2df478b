//===- LaunchSpec.cpp - Launches as options describe them -----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/LaunchSpec.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Regex.h"
#include <cmath>

using namespace gpuocc;
using namespace llvm;

bool gpuocc::isKernelRegex(StringRef Pattern) {
  return Pattern.size() >= 2 && Pattern.front() == '/' && Pattern.back() == '/';
}

Error gpuocc::checkKernelPattern(StringRef Pattern) {
  std::string Why;
  if (!isKernelRegex(Pattern) ||
      Regex(Pattern.drop_front().drop_back()).isValid(Why))
    return Error::success();
  return createStringError("'" + Pattern +
                           "' is not a regular expression: " + Why);
}

/// Decimal or hexadecimal; a leading 0 does not make it octal.
static bool parseUnsigned(StringRef Text, uint64_t &Out) {
  if (Text.consume_front_insensitive("0x"))
    return !Text.getAsInteger(16, Out);
  return !Text.getAsInteger(10, Out);
}

Expected<Dim3> gpuocc::parseDim3(StringRef Text) {
  SmallVector<StringRef, 3> Parts;
  Text.split(Parts, 'x');
  uint64_t Extents[3] = {1, 1, 1};
  if (Parts.size() > 3)
    return createStringError("'" + Text + "' has more than three extents");
  for (auto [Part, Extent] : zip(Parts, Extents)) {
    const StringRef Digits = Part.trim();
    const bool IsNumber = !Digits.empty() && all_of(Digits, isDigit);
    const bool Fits = !Digits.getAsInteger(10, Extent) && Extent <= UINT32_MAX;
    if (IsNumber && !Fits)
      return createStringError("'" + Text + "': no extent is above " +
                               Twine(UINT32_MAX));
    if (!IsNumber || Extent == 0)
      return createStringError("'" + Text +
                               "' is not W, WxH or WxHxD with positive "
                               "integers");
  }
  return Dim3{Extents[0], Extents[1], Extents[2]};
}

static Error doesNotFit(StringRef Text) {
  return createStringError("'" + Text + "' does not fit into 64 bits");
}

Expected<ScalarArgument> gpuocc::parseScalar(StringRef Text) {
  ScalarArgument A;
  StringRef Digits = Text;
  bool Negative = Digits.consume_front("-");
  uint64_t Magnitude = 0;
  if (parseUnsigned(Digits, Magnitude)) {
    constexpr uint64_t MostBelowZero = uint64_t(1) << 63;
    if (Negative && Magnitude > MostBelowZero)
      return doesNotFit(Text);
    A.Integer = int64_t(Negative ? 0 - Magnitude : Magnitude);
    return A;
  }
  const bool IsInteger = !Digits.empty() && all_of(Digits, isDigit);
  const bool IsHex = Digits.consume_front_insensitive("0x");
  if (IsInteger || (IsHex && !Digits.empty() && all_of(Digits, isHexDigit)))
    return doesNotFit(Text);
  A.IsReal = true;
  if (Text.getAsDouble(A.Real) || !std::isfinite(A.Real))
    return createStringError("'" + Text + "' is not a number");
  return A;
}

namespace {

/// Reads the text of one --launch option.
class SpecParser {
public:
  explicit SpecParser(StringRef Text) : Text(Text) {}

  Expected<LaunchSpec> parse() {
    size_t Colon = endOfKernel();
    if (Colon == StringRef::npos)
      return fail(Text.end(), "expected ':' and 'key=value' pairs after the "
                              "kernel");
    Spec.Source = GivenBy::Option;
    Spec.Kernel = Text.take_front(Colon).trim().str();
    if (Spec.Kernel.empty())
      return fail(Text.begin(), "expected the name of a kernel");
    if (Error E = checkKernelPattern(Spec.Kernel))
      return failAt(Text, std::move(E));
    SmallVector<StringRef, 8> Pairs;
    Text.drop_front(Colon + 1).split(Pairs, ',');
    for (StringRef Pair : Pairs)
      if (Error E = parsePair(Pair))
        return std::move(E);
    return std::move(Spec);
  }

private:
  /// The ':' that ends the kernel; "::" belongs to it, and so does all of a
  /// regular expression.
  size_t endOfKernel() const {
    size_t From = 0;
    if (Text.starts_with("/")) {
      size_t Slash = Text.find("/:", 1);
      return Slash == StringRef::npos ? Slash : Slash + 1;
    }
    while (true) {
      size_t Colon = Text.find(':', From);
      if (Colon == StringRef::npos || Text.substr(Colon, 2) != "::")
        return Colon;
      From = Colon + 2;
    }
  }

  Error fail(const char *Where, const Twine &What) const {
    return createStringError("launch '" + Text + "', column " +
                             Twine(Where - Text.begin() + 1) + ": " + What);
  }

  Error failAt(StringRef Place, Error Cause) const {
    return fail(Place.begin(), toString(std::move(Cause)));
  }

  template <typename T>
  Error set(std::optional<T> &Slot, StringRef Value, Expected<T> Parsed) {
    if (!Parsed)
      return failAt(Value, Parsed.takeError());
    if (Slot)
      return fail(Value.begin(), "given twice");
    Slot = *Parsed;
    return Error::success();
  }

  Error parsePair(StringRef Pair) {
    size_t Equals = Pair.find('=');
    StringRef Key = Pair.take_front(Equals).trim();
    if (Equals == StringRef::npos || Key.empty())
      return fail(Pair.begin(), "expected 'key=value'");
    StringRef Value = Pair.drop_front(Equals + 1).trim();
    if (Key == "grid")
      return set(Spec.Grid, Value, parseDim3(Value));
    if (Key == "block")
      return set(Spec.Block, Value, parseDim3(Value));
    if (Key == "cluster")
      return set(Spec.Cluster, Value, parseDim3(Value));
    if (Key == "shared")
      return set(Spec.DynamicSharedBytes, Value, parseBytes(Value));
    if (Key == "carveout")
      return set(Spec.CarveoutPercent, Value, parsePercent(Value));
    if (StringRef Array = Key; Array.consume_back(".bytes")) {
      Expected<uint64_t> Bytes = parseBytes(Value);
      if (!Bytes)
        return failAt(Value, Bytes.takeError());
      if (!Spec.ArrayBytes.try_emplace(Array.str(), *Bytes).second)
        return fail(Key.begin(), "'" + Key + "' is given twice");
      return Error::success();
    }
    Expected<ScalarArgument> Number = parseScalar(Value);
    if (!Number)
      return failAt(Value, Number.takeError());
    if (!Key.contains(':')) {
      if (!Spec.Arguments.try_emplace(Key.str(), *Number).second)
        return fail(Key.begin(), "'" + Key + "' is given twice");
      return Error::success();
    }
    double Trips = Number->IsReal ? Number->Real : double(Number->Integer);
    if (Trips < 0)
      return fail(Value.begin(), "a trip count is not negative");
    Spec.TripCounts[Key.str()] = Trips;
    return Error::success();
  }

  static Expected<uint64_t> parseBytes(StringRef Value) {
    uint64_t Bytes = 0;
    if (!parseUnsigned(Value, Bytes))
      return createStringError("'" + Value + "' is not a number of bytes");
    return Bytes;
  }

  static Expected<unsigned> parsePercent(StringRef Value) {
    uint64_t Percent = 0;
    if (!parseUnsigned(Value, Percent) || Percent > 100)
      return createStringError("'" + Value +
                               "' is not a percentage from 0 to 100");
    return unsigned(Percent);
  }

  StringRef Text;
  LaunchSpec Spec;
};

} // namespace

Expected<LaunchSpec> gpuocc::parseLaunchSpec(StringRef Text) {
  return SpecParser(Text).parse();
}
