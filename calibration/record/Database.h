//===- Database.h - The device database that is being written --*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Collects measured numbers and writes them as a device database (schema 1,
/// docs/calibration.md), and raw samples as result files.
///
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_CALIBRATION_RECORD_DATABASE_H
#define GPUOCC_CALIBRATION_RECORD_DATABASE_H

#include "stats/Statistics.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>

namespace gpuocc::calibration {

/// Which value of the samples a number states.
enum class Take { Mean, Minimum };

/// A database in the making. Members are sections of the file.
class Database {
public:
  Database();
  explicit Database(llvm::json::Object File) : File(std::move(File)) {}

  /// A number of section \p Section, such as "memory".
  void set(llvm::StringRef Section, llvm::StringRef Key,
           llvm::json::Value Number);
  /// A member of the entry of instruction class \p Class.
  void setInstruction(llvm::StringRef Class, llvm::StringRef Key,
                      llvm::json::Value Value);
  void removeInstruction(llvm::StringRef Class);
  void setRecord(llvm::StringRef Key, llvm::StringRef Text);
  void setTop(llvm::StringRef Key, llvm::json::Value Value);
  void setTable(llvm::StringRef Name, llvm::json::Value Table);
  /// The value of a number, or nothing.
  std::optional<double> value(llvm::StringRef Section,
                              llvm::StringRef Key) const;
  std::optional<double> instructionValue(llvm::StringRef Class,
                                         llvm::StringRef Key) const;

  /// Success if all numbers that came since the last call can be those of a
  /// GPU; else an error that names the first that cannot (Plausible.h). Those
  /// are not in the file.
  llvm::Error takeProblems();

  const llvm::json::Object &file() const { return File; }
  llvm::json::Object &file() { return File; }

private:
  llvm::json::Object &section(llvm::StringRef Name);
  /// Whether \p Value, which is to be at \p Place, may be kept; a problem if
  /// not.
  bool mayBe(const llvm::Twine &Place, const llvm::json::Value &Value);
  llvm::json::Object File;
  std::vector<std::string> Problems;
};

/// A measured number. \p Source names the kernel and the method.
llvm::json::Value measured(const Summary &S, Take Which, llvm::StringRef Unit,
                           llvm::StringRef Source);
/// A number computed from measured ones.
llvm::json::Value derived(double Value, llvm::StringRef Unit,
                          llvm::StringRef Source);
/// A number that the driver states.
llvm::json::Value vendor(double Value, llvm::StringRef Unit,
                         llvm::StringRef Source);

/// A table of the "tables" section.
struct Table {
  std::vector<std::string> Columns, Units;
  std::vector<std::vector<double>> Rows;
  std::string Source;
  llvm::json::Value toJson() const;
};

/// Today as YYYY-MM-DD.
std::string today();

/// \p V as JSON text: stable member order, one line for a number or a row,
/// numbers with at most 7 significant digits.
std::string toText(const llvm::json::Value &V);

/// \p File as a database to build in: without numbers that came out 0 and the
/// counts of the kernels that belong to no class, which no model reads.
/// `record.results` names \p From, where they are.
llvm::json::Object promoted(llvm::json::Object File, llvm::StringRef From);

/// Puts the numbers of \p More into \p File, in the place of those that are
/// there: what a profiler or a program of its own measures better.
void addNumbers(llvm::json::Object &File, const llvm::json::Object &More);

/// Takes out of \p File the numbers that came out negative, or 0 where no
/// reader takes that: differences of times that say nothing. Their places
/// become `record.left_out`.
void leaveOutZeros(llvm::json::Object &File);

/// Puts what \p File lacks of \p More into it; what is there stays.
void addMissing(llvm::json::Object &File, const llvm::json::Object &More);

/// Sets `stable` of the measured numbers of \p File to false that are not in
/// \p Before, or with another value. Returns how many.
unsigned markUnstable(llvm::json::Object &File,
                      const llvm::json::Object &Before);

/// Measured numbers, and those of them that do not settle.
struct SettledCount {
  unsigned Measured = 0, Unstable = 0;
};
/// Of the measured numbers of \p File that are not in \p Before, or with
/// another value.
SettledCount countSettled(const llvm::json::Object &File,
                          const llvm::json::Object &Before);

/// Reads an object from the file \p Path; a database of an older version gets
/// today's keys. Errors name file and place.
llvm::Expected<llvm::json::Object> readObject(llvm::StringRef Path);

/// What is wrong with a database, one line each: missing members, numbers
/// without value, unit, origin or source, measured ones without what is known
/// of their samples or without a record, values that are not finite or
/// negative or out of the range of their unit, rows of another length. Empty
/// when nothing is.
std::vector<std::string> lintDatabase(const llvm::json::Object &File);

/// Numbers of two databases side by side.
struct Difference {
  std::string Place; ///< "memory.l2_hit_latency_cycles"
  double Left = 0, Right = 0;
  double Relative = 0;   ///< |right - left| / left
  double Allowed = 0;    ///< 0.01 for latencies, 0.02 for the rest
  bool Unstable = false; ///< Marked so in one of the two.
};
struct Comparison {
  std::vector<Difference> Common; ///< In file order.
  std::vector<std::string> OnlyLeft, OnlyRight;
};
/// All numbers but the residuals of fits, and the latencies from class to
/// class.
Comparison compareDatabases(const llvm::json::Object &Left,
                            const llvm::json::Object &Right);

} // namespace gpuocc::calibration

#endif // GPUOCC_CALIBRATION_RECORD_DATABASE_H
