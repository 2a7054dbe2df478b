//===- Arguments.cpp - Options of a subcommand ----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "gpuocc/Report/FailOn.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace gpuocc;
using namespace llvm;

static Error unknownOption(StringRef Name, ArrayRef<OptionRow> Options) {
  SmallVector<StringRef, 16> Names = {"--help"};
  for (const OptionRow &Row : Options)
    Names.push_back(Row.Name);
  return createStringError("unknown option '" + Name + "'" +
                           didYouMean(Name, Names));
}

Expected<ParsedArguments> gpuocc::parseArguments(ArrayRef<StringRef> Arguments,
                                                 ArrayRef<OptionRow> Options) {
  ParsedArguments Parsed;
  while (!Arguments.empty()) {
    StringRef Argument = Arguments.consume_front();
    if (Argument == "--") {
      Parsed.Rest = Arguments.vec();
      break;
    }
    if (!Argument.starts_with("-") || Argument == "-") {
      Parsed.Positional.push_back(Argument);
      continue;
    }
    auto [Name, Value] = Argument.split('=');
    if (Name == "--help" || Name == "-h") {
      Parsed.Help = true;
      return Parsed;
    }
    const OptionRow *Row = find_if(
        Options, [N = Name](const OptionRow &R) { return R.Name == N; });
    if (Row == Options.end())
      return unknownOption(Name, Options);
    bool HasValue = Argument.contains('=');
    if (Row->ValueName.empty() && HasValue)
      return createStringError("option '" + Name + "' takes no value");
    if (!HasValue && !Row->ValueIfNone.empty()) {
      Value = Row->ValueIfNone;
    } else if (!Row->ValueName.empty() && !HasValue) {
      if (Arguments.empty())
        return createStringError("option '" + Name +
                                 "' needs a value: " + Row->ValueName);
      Value = Arguments.consume_front();
    }
    if (Error E = Row->Set(Value))
      return createStringError("option '" + Name +
                               "': " + toString(std::move(E)));
  }
  return Parsed;
}

void gpuocc::printHelp(StringRef Usage, ArrayRef<OptionRow> Options,
                       raw_ostream &OS) {
  OS << Usage << "\noptions:\n";
  for (const OptionRow &Row : Options) {
    if (Row.Help.empty())
      continue;
    std::string Left = Row.Name.str();
    if (!Row.ValueName.empty())
      Left +=
          !Row.ValueIfNone.empty()
              ? "[=" + Row.ValueName.str() + "]"
              : (Row.Name.starts_with("--") ? "=" : " ") + Row.ValueName.str();
    OS << "  " << left_justify(Left, 30) << ' ' << Row.Help << '\n';
  }
  OS << "  " << left_justify("--help", 30) << " print this\n";
}

Expected<ParsedArguments> gpuocc::parseOrHelp(ArrayRef<StringRef> Arguments,
                                              StringRef Usage,
                                              ArrayRef<OptionRow> Options) {
  Expected<ParsedArguments> Parsed = parseArguments(Arguments, Options);
  if (Parsed && Parsed->Help)
    printHelp(Usage, Options, outs());
  return Parsed;
}

std::function<Error(StringRef)> gpuocc::store(std::string &Slot) {
  return [&Slot](StringRef Value) {
    Slot = Value.str();
    return Value.empty() ? createStringError("the value is empty")
                         : Error::success();
  };
}

std::function<Error(StringRef)> gpuocc::append(std::vector<std::string> &Slot) {
  return [&Slot](StringRef Value) {
    Slot.push_back(Value.str());
    return Error::success();
  };
}

std::function<Error(StringRef)> gpuocc::storeNumber(unsigned &Slot) {
  return [&Slot](StringRef Value) -> Error {
    uint64_t Number = 0;
    const bool IsNumber = !Value.empty() && all_of(Value, isDigit);
    if (!IsNumber)
      return createStringError("'" + Value + "' is not a number");
    if (Value.getAsInteger(10, Number) ||
        Number > std::numeric_limits<unsigned>::max())
      return createStringError("'" + Value + "' is too large; the most is " +
                               Twine(std::numeric_limits<unsigned>::max()));
    Slot = unsigned(Number);
    return Error::success();
  };
}

std::function<Error(StringRef)>
gpuocc::storeFactor(std::optional<double> &Slot) {
  return [&Slot](StringRef Value) { return parseFactor(Value, Slot); };
}

std::function<Error(StringRef)>
gpuocc::storeWord(std::string &Slot, std::vector<StringRef> Words) {
  return [&Slot, Words = std::move(Words)](StringRef Value) {
    Slot = Value.str();
    return is_contained(Words, Value)
               ? Error::success()
               : createStringError("'" + Value + "' is not one of " +
                                   join(Words, ", "));
  };
}
