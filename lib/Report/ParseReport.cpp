//===- ParseReport.cpp - Reports from JSON ------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitReport.h"
#include "gpuocc/Kernel/VerifyFacts.h"
#include "gpuocc/Report/JSON.h"
#include "gpuocc/Support/FileFormat.h"
#include "gpuocc/Support/JSONMembers.h"
#include "gpuocc/Support/ParseJSON.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// Reads the kernels of a report one by one.
class KernelReader {
public:
  KernelReader(StringRef FileName, int64_t DataVersion)
      : FileName(FileName), DataVersion(DataVersion) {}

  /// Reads \p Elements, of the array \p Key, to \p Out.
  Error read(StringLiteral Key, ArrayRef<StringRef> Elements,
             std::vector<KernelReport> &Out) const {
    Out.reserve(Elements.size());
    for (size_t I = 0; I != Elements.size(); ++I) {
      json::Path::Root Root("report");
      // Each path refers to the one above it.
      const json::Path Top(Root);
      const json::Path Above = Top.field(Key);
      if (Error E =
              readKernel(Elements[I], Above.index(I), Root, Out.emplace_back()))
        return createFileError(FileName, std::move(E));
    }
    return Error::success();
  }

private:
  Error readKernel(StringRef Element, json::Path Here, json::Path::Root &Root,
                   KernelReport &Out) const {
    static constexpr StringLiteral Data = "data";
    Expected<json::Value> Parsed = parseJSON(
        keepMembers(Element, [](StringRef Key) { return Key == Data; }));
    if (!Parsed)
      return Parsed.takeError();
    const json::Object *Kernel = Parsed->getAsObject();
    const json::Value *Known = Kernel ? Kernel->get(Data) : nullptr;
    if (!Known) {
      Here.report("expected the facts under \"data\"; write the report with "
                  "--with-facts");
      return Root.getError();
    }
    if (Error E = checkVersion(FileFormat::ReportData, DataVersion))
      return E;
    if (!fromJSON(*Known, Out, Here.field(Data)))
      return Root.getError();
    return verifyFacts(Out.Facts);
  }

  StringRef FileName;
  int64_t DataVersion;
};

} // namespace

Expected<Report> gpuocc::parseReport(StringRef Text, StringRef FileName) {
  const std::optional<SplitReport> Parts = splitReport(Text);
  Expected<json::Value> Parsed = parseJSON(Parts ? Parts->Rest : Text);
  if (!Parsed)
    return createFileError(FileName, Parsed.takeError());
  const json::Object *Root = Parsed->getAsObject();
  if (std::optional<int64_t> Version =
          Root ? Root->getInteger("schema_version") : std::nullopt)
    if (Error E = checkVersion(FileFormat::Report, *Version))
      return createFileError(FileName, std::move(E));
  Report R;
  json::Path::Root Where("report");
  json::ObjectMapper Map(*Parsed, Where);
  if (!Map || !Map.map("schema_version", R.SchemaVersion) ||
      !Map.map("tool", R.Tool))
    return createFileError(FileName, Where.getError());
  if (!Parts || !Root->getArray("kernels")) {
    json::Path(Where).field("kernels").report("expected array");
    return createFileError(FileName, Where.getError());
  }
  // Reports whose data had no version yet were written by version 1.
  const KernelReader Reader(FileName,
                            Root->getInteger("data_version").value_or(1));
  if (Error E = Reader.read("kernels", Parts->Kernels, R.Kernels))
    return std::move(E);
  if (Error E = Reader.read("cannot_run", Parts->Refused, R.Refused))
    return std::move(E);
  return R;
}
