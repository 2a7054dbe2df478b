//===- WriteYaml.cpp - Findings as optimization records -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileNames.h"
#include "gpuocc/Views/ReportView.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/YAMLTraits.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace gpuocc;
using namespace llvm;

namespace {
/// Where a record points to.
struct DebugLocation {
  std::string File;
  unsigned Line = 0, Column = 0;
};

/// An argument is a mapping of one key.
struct RecordArgument {
  std::string Key, Value;
};

/// One record; the kind is the tag of its document.
struct OptimizationRecord {
  RemarkKind Kind = RemarkKind::Passed;
  std::string Pass = "gpu-occupancy", Name, Function;
  std::optional<DebugLocation> Place;
  std::vector<RecordArgument> Arguments;
};
} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(RecordArgument)

static StringRef tagOf(RemarkKind Kind) {
  switch (Kind) {
  case RemarkKind::Passed:
    return "!Passed";
  case RemarkKind::Analysis:
    return "!Analysis";
  case RemarkKind::Missed:
    return "!Missed";
  }
  llvm_unreachable("all kinds are handled");
}

namespace llvm::yaml {

template <> struct MappingTraits<DebugLocation> {
  static const bool flow = true;
  static void mapping(IO &Out, DebugLocation &L) {
    Out.mapRequired("File", L.File);
    Out.mapRequired("Line", L.Line);
    Out.mapRequired("Column", L.Column);
  }
};

template <> struct MappingTraits<RecordArgument> {
  static void mapping(IO &Out, RecordArgument &A) {
    Out.mapRequired(A.Key.c_str(), A.Value);
  }
};

template <> struct MappingTraits<OptimizationRecord> {
  static void mapping(IO &Out, OptimizationRecord &R) {
    Out.mapTag(tagOf(R.Kind), true);
    Out.mapRequired("Pass", R.Pass);
    Out.mapRequired("Name", R.Name);
    Out.mapOptional("DebugLoc", R.Place);
    Out.mapRequired("Function", R.Function);
    Out.mapOptional("Args", R.Arguments);
  }
};

} // namespace llvm::yaml

static OptimizationRecord recordOf(const Finding &F, const KernelReport &K,
                                   const ViewOptions &Options) {
  OptimizationRecord Record;
  Record.Kind = F.Remark;
  Record.Name = ruleName(F.Rule).str();
  Record.Function = json::fixUTF8(K.Facts.Name);
  if (SourcePlace Place = placeToShow(F.Location); Place.isValid())
    Record.Place = {json::fixUTF8(fileBelow(Place.File, Options.BaseDirectory)),
                    Place.Line, Place.Column};
  for (const Evidence &E : F.Message)
    Record.Arguments.push_back(
        {E.Key.empty() ? "String" : E.Key, json::fixUTF8(E.Text)});
  return Record;
}

Error gpuocc::writeYaml(const Report &R, const ViewOptions &Options,
                        raw_ostream &OS) {
  // Long strings stay on one line, as in the records of the compiler.
  yaml::Output Out(OS, nullptr, /*WrapColumn=*/0);
  for (const std::vector<KernelReport> *Kernels : {&R.Refused, &R.Kernels})
    for (const KernelReport &K : *Kernels)
      for (const Finding &F : K.Findings) {
        OptimizationRecord Record = recordOf(F, K, Options);
        Out << Record;
      }
  return Error::success();
}
