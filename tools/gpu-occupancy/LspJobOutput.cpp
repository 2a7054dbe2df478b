//===- LspJobOutput.cpp - From a job to the server ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LspJobOutput.h"
#include "gpuocc/Report/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

static json::Value toJSON(const KnownReports::Entry &E) {
  return json::Object{{"key", E.Key}, {"left_out", E.IsLeftOut}};
}

static bool fromJSON(const json::Value &J, KnownReports::Entry &Out,
                     json::Path P) {
  json::ObjectMapper Map(J, P);
  return Map && Map.map("key", Out.Key) && Map.map("left_out", Out.IsLeftOut);
}

} // namespace gpuocc

void gpuocc::writeJobOutput(const Report &Made, const KnownReports &Known,
                            raw_ostream &OS) {
  json::Array Reports;
  for (const KnownReports::Entry &E : Known.All)
    Reports.push_back(toJSON(E));
  OS << json::Value(std::move(Reports)) << '\n';
  json::OStream J(OS);
  writeJSON(J, Made);
}

Expected<KeyedReport> gpuocc::readJobOutput(
    StringRef Output, StringRef File,
    const std::map<std::string, const KernelReport *> &Earlier) {
  const auto [Keys, MadeText] = Output.split('\n');
  Expected<std::vector<KnownReports::Entry>> All =
      json::parse<std::vector<KnownReports::Entry>>(Keys, "reports");
  if (!All)
    return createFileError(File, All.takeError());
  KeyedReport Read;
  if (Expected<Report> Made = parseReport(MadeText, File))
    Read.What = std::move(*Made);
  else
    return Made.takeError();
  std::vector<KernelReport> Made;
  std::swap(Made, Read.What.Kernels);
  auto Next = Made.begin();
  for (auto &[Key, IsLeftOut] : *All) {
    const auto Found = Earlier.find(Key);
    if (IsLeftOut ? Found == Earlier.end() : Next == Made.end())
      return createFileError(File, createStringError("a report is missing"));
    Read.What.Kernels.push_back(IsLeftOut ? *Found->second
                                          : std::move(*Next++));
    Read.Keys.push_back(std::move(Key));
  }
  return Read;
}
