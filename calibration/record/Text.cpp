//===- Text.cpp - Databases as text and files -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Database.h"
#include "gpuocc/Device/MigrateDevice.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace gpuocc::calibration {

/// Members that come first, in this order; the rest follow by name.
static constexpr StringLiteral MemberOrder[] = {"schema_version",
                                                "name",
                                                "display_name",
                                                "architecture",
                                                "record",
                                                "chip",
                                                "instructions",
                                                "dependences",
                                                "memory",
                                                "contention",
                                                "runtime",
                                                "ptx_instructions",
                                                "tables",
                                                "value",
                                                "unit",
                                                "pipe",
                                                "latency_cycles",
                                                "issue_cycles",
                                                "throughput_per_cycle_sm",
                                                "needed_warps",
                                                "issue_slots",
                                                "curve",
                                                "ilp",
                                                "warps",
                                                "per_cycle_sm",
                                                "columns",
                                                "units",
                                                "rows"};

static size_t memberRank(StringRef Name) {
  return llvm::find(MemberOrder, Name) - std::begin(MemberOrder);
}

static bool isScalar(const json::Value &V) {
  return !V.getAsObject() && !V.getAsArray();
}

static bool isFlat(const json::Value &V) {
  if (const json::Array *A = V.getAsArray())
    return all_of(*A, isScalar);
  if (const json::Object *O = V.getAsObject())
    return all_of(*O, [](const auto &M) { return isScalar(M.second); });
  return true;
}

static void writeValue(const json::Value &V, unsigned Depth, raw_ostream &OS);

static void writeNumber(double D, raw_ostream &OS) {
  if (!std::isfinite(D))
    OS << "null";
  else if (D == std::floor(D) && std::fabs(D) < 1e15)
    OS << int64_t(D);
  else
    OS << format("%.7g", D);
}

static void newLine(unsigned Depth, raw_ostream &OS) {
  OS << '\n';
  OS.indent(Depth * 2);
}

static void writeObject(const json::Object &O, bool Flat, unsigned Depth,
                        raw_ostream &OS) {
  std::vector<const json::Object::value_type *> Members;
  for (const auto &M : O)
    Members.push_back(&M);
  llvm::sort(Members, [](const auto *A, const auto *B) {
    size_t RankA = memberRank(A->first), RankB = memberRank(B->first);
    return RankA != RankB ? RankA < RankB
                          : StringRef(A->first) < StringRef(B->first);
  });
  OS << '{';
  for (size_t I = 0; I < Members.size(); ++I) {
    OS << (I == 0 ? "" : Flat ? ", " : ",");
    if (!Flat)
      newLine(Depth + 1, OS);
    OS << json::Value(Members[I]->first) << ": ";
    writeValue(Members[I]->second, Depth + 1, OS);
  }
  if (!Flat && !Members.empty())
    newLine(Depth, OS);
  OS << '}';
}

static void writeValue(const json::Value &V, unsigned Depth, raw_ostream &OS) {
  bool Flat = isFlat(V);
  if (const json::Object *O = V.getAsObject())
    return writeObject(*O, Flat, Depth, OS);
  if (const json::Array *A = V.getAsArray()) {
    OS << '[';
    for (size_t I = 0; I < A->size(); ++I) {
      OS << (I == 0 ? "" : Flat ? ", " : ",");
      if (!Flat)
        newLine(Depth + 1, OS);
      writeValue((*A)[I], Depth + 1, OS);
    }
    if (!Flat && !A->empty())
      newLine(Depth, OS);
    OS << ']';
    return;
  }
  if (std::optional<double> D = V.getAsNumber())
    return writeNumber(*D, OS);
  OS << V;
}

std::string toText(const json::Value &V) {
  std::string Text;
  raw_string_ostream OS(Text);
  writeValue(V, 0, OS);
  OS << '\n';
  return Text;
}

Expected<json::Object> readObject(StringRef Path) {
  Expected<json::Value> Value = readJSONFile(Path);
  if (!Value)
    return Value.takeError();
  json::Object *O = Value->getAsObject();
  if (!O)
    return createFileError(Path,
                           createStringError("expected an object at the top"));
  if (Error E = migrateDevice(*O))
    return createFileError(Path, std::move(E));
  return std::move(*O);
}

} // namespace gpuocc::calibration
