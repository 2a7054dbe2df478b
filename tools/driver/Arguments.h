//===- Arguments.h - Options of a subcommand -------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_DRIVER_ARGUMENTS_H
#define GPUOCC_TOOLS_DRIVER_ARGUMENTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace gpuocc {

/// One option of a subcommand.
struct OptionRow {
  /// "--device" or "-o".
  llvm::StringLiteral Name;
  /// What to call its value; empty for an option without one.
  llvm::StringLiteral ValueName;
  /// Empty for an option that help does not show.
  llvm::StringLiteral Help;
  /// Takes the value; its error is reported with the option's name.
  std::function<llvm::Error(llvm::StringRef)> Set;
  /// The value of an option that needs none; empty: it needs one.
  llvm::StringLiteral ValueIfNone = "";
};

/// What is left of a command line when the options are taken out.
struct ParsedArguments {
  std::vector<llvm::StringRef> Positional;
  /// What follows "--".
  std::vector<llvm::StringRef> Rest;
  bool Help = false;
};

/// Reads \p Arguments: "--name=value", "--name value", "--help". Fails on an
/// unknown option (naming the nearest), a missing or superfluous value, and
/// what an option does not accept.
llvm::Expected<ParsedArguments>
parseArguments(llvm::ArrayRef<llvm::StringRef> Arguments,
               llvm::ArrayRef<OptionRow> Options);

/// Prints \p Usage and the table of \p Options.
void printHelp(llvm::StringRef Usage, llvm::ArrayRef<OptionRow> Options,
               llvm::raw_ostream &OS);

/// Reads the \p Arguments of a command, or prints its \p Usage and \p Options
/// where that is what they ask for; Help says so.
llvm::Expected<ParsedArguments>
parseOrHelp(llvm::ArrayRef<llvm::StringRef> Arguments, llvm::StringRef Usage,
            llvm::ArrayRef<OptionRow> Options);

/// An action that stores the value in \p Slot.
std::function<llvm::Error(llvm::StringRef)> store(std::string &Slot);

/// An action that appends the value to \p Slot.
std::function<llvm::Error(llvm::StringRef)>
append(std::vector<std::string> &Slot);

/// An action that stores a number in \p Slot.
std::function<llvm::Error(llvm::StringRef)> storeNumber(unsigned &Slot);

/// An action that stores a factor, a number of at least 1, in \p Slot.
std::function<llvm::Error(llvm::StringRef)>
storeFactor(std::optional<double> &Slot);

/// An action that accepts one of \p Words and stores it in \p Slot.
std::function<llvm::Error(llvm::StringRef)>
storeWord(std::string &Slot, std::vector<llvm::StringRef> Words);

/// The names of \p Rows, for storeWord.
template <typename Row>
std::vector<llvm::StringRef> namesOf(llvm::ArrayRef<Row> Rows) {
  std::vector<llvm::StringRef> Names;
  for (const Row &R : Rows)
    Names.push_back(R.Name);
  return Names;
}

} // namespace gpuocc

#endif // GPUOCC_TOOLS_DRIVER_ARGUMENTS_H
