//===- TruthFile.cpp - Measured kernels -----------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TruthFile.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace llvm;

StringRef TruthCase::key() const {
  StringRef Key = Id;
  Key.consume_back("@clang");
  return Key;
}

StringRef TruthCase::variant() const { return key().split('#').second; }

namespace gpuocc {

static bool fromJSON(const json::Value &J, Dim3 &D, json::Path P) {
  const json::Array *A = J.getAsArray();
  uint64_t *const Extents[] = {&D.X, &D.Y, &D.Z};
  if (!A || A->size() != std::size(Extents)) {
    P.report("expected three extents");
    return false;
  }
  for (size_t I = 0; I != A->size(); ++I)
    if (!json::fromJSON((*A)[I], *Extents[I], P.index(I)))
      return false;
  return true;
}

static bool fromJSON(const json::Value &J, TruthAccess &A, json::Path P) {
  json::ObjectMapper O(J, P);
  return O && O.map("space", A.Space) && O.map("op", A.Op) &&
         O.map("warp_inst", A.WarpInstructions) &&
         O.map("sectors_per_inst", A.SectorsPerInst) &&
         O.map("wavefronts_per_inst", A.WavefrontsPerInst) &&
         O.map("ideal_sectors_per_inst", A.IdealSectorsPerInst) &&
         O.map("ideal_wavefronts_per_inst", A.IdealWavefrontsPerInst);
}

static bool fromJSON(const json::Value &J, TruthBranch &B, json::Path P) {
  json::ObjectMapper O(J, P);
  return O && O.map("op", B.Op) && O.map("warp_inst", B.WarpInstructions) &&
         O.mapOptional("predicated", B.NumPredicated) &&
         O.map("divergent_frac", B.DivergentFraction) &&
         O.map("taken_thread_frac", B.TakenLaneFraction);
}

static bool fromJSON(const json::Value &J, TruthLine &L, json::Path P) {
  json::ObjectMapper O(J, P);
  return O && O.map("file", L.File) && O.map("line", L.Line) &&
         O.mapOptional("mem", L.Accesses) &&
         O.mapOptional("branch", L.Branches);
}

namespace {

/// An object of the file of which some fields are read.
struct Section {
  json::Object Fields;
};

bool fromJSON(const json::Value &J, Section &S, json::Path P) {
  const json::Object *O = J.getAsObject();
  if (!O) {
    P.report("expected object");
    return false;
  }
  S.Fields = *O;
  return true;
}

} // namespace

static double numberIn(const Section &S, StringRef Key) {
  return S.Fields.getNumber(Key).value_or(0);
}

static bool fromJSON(const json::Value &J, TruthCase &C, json::Path P) {
  json::ObjectMapper O(J, P);
  Section Kernel, Launch, Time, Resources, Occupancy, Inst, Cache, Dram, Sched,
      Derived, Clang;
  if (!(O && O.map("id", C.Id) && O.map("suite", C.Suite) &&
        O.map("program", C.Program) && O.mapOptional("repo", C.Repository) &&
        O.map("files", C.Files) && O.map("compiler", C.Compiler) &&
        O.map("flags", C.Flags) && O.mapOptional("args", C.ProgramArguments) &&
        O.map("kernel", Kernel) && O.map("launch", Launch) &&
        O.map("time", Time) && O.map("resources", Resources) &&
        O.map("occupancy", Occupancy) && O.map("inst", Inst) &&
        O.map("sass_dyn", C.Opcodes) && O.map("derived", Derived) &&
        O.mapOptional("cache", Cache) && O.mapOptional("dram", Dram) &&
        O.mapOptional("sched", Sched) && O.mapOptional("clang", Clang) &&
        O.mapOptional("stalls_per_issue", C.Stalls) &&
        O.mapOptional("lines", C.Lines)))
    return false;

  json::ObjectMapper K(*J.getAsObject()->get("kernel"), P.field("kernel"));
  json::ObjectMapper L(*J.getAsObject()->get("launch"), P.field("launch"));
  if (!(K.map("name", C.KernelName) && K.map("mangled", C.MangledName) &&
        L.map("grid", C.Grid) && L.map("block", C.Block) &&
        L.mapOptional("dynamic_smem", C.DynamicSharedBytes)))
    return false;

  C.DurationNs = numberIn(Time, "duration_ns");
  C.RegistersPerThread = unsigned(numberIn(Resources, "regs_per_thread"));
  C.TheoreticalWarps = numberIn(Occupancy, "theoretical_warps");
  C.AchievedWarps = numberIn(Occupancy, "achieved_warps");
  C.WarpInstructions = numberIn(Inst, "warp_inst");
  C.L1HitPercent = numberIn(Cache, "l1_hit_pct");
  C.L2HitPercent = numberIn(Cache, "l2_hit_pct");
  C.DramReadBytes = numberIn(Dram, "bytes_read");
  C.DramWriteBytes = numberIn(Dram, "bytes_written");
  C.IssueBusyPercent = numberIn(Sched, "issue_slots_busy_pct");
  C.Limiter = Derived.Fields.getString("limiter").value_or("").str();
  if (std::optional<int64_t> Registers = Clang.Fields.getInteger("regs"))
    C.ClangRegisters = unsigned(*Registers);
  if (const json::Object *Sectors = Cache.Fields.getObject("l2_sectors"))
    for (const auto &Kind : *Sectors)
      C.L2Sectors += Kind.second.getAsNumber().value_or(0);
  if (C.DurationNs > 0 && C.WarpInstructions > 0)
    return true;
  P.report("a case needs time.duration_ns and inst.warp_inst");
  return false;
}

} // namespace gpuocc

Expected<std::vector<TruthCase>> gpuocc::parseTruthFile(StringRef Text,
                                                        StringRef FileName) {
  Expected<json::Value> J = parseJSON(Text);
  if (!J)
    return createFileError(FileName, J.takeError());
  std::vector<TruthCase> Cases;
  json::Path::Root Root("truth");
  const json::Array *Array = J->getAsArray();
  if (!Array)
    return createFileError(FileName,
                           createStringError("expected an array of cases"));
  for (size_t I = 0; I != Array->size(); ++I)
    if (!fromJSON((*Array)[I], Cases.emplace_back(), json::Path(Root).index(I)))
      return createFileError(FileName, Root.getError());
  return Cases;
}

Expected<std::vector<TruthCase>> gpuocc::loadTruth(StringRef Folder) {
  std::vector<std::string> Paths;
  std::error_code EC;
  for (sys::fs::directory_iterator I(Folder, EC), End; I != End && !EC;
       I.increment(EC))
    if (sys::path::extension(I->path()) == ".json")
      Paths.push_back(I->path());
  if (EC)
    return createFileError(Folder, EC);
  if (Paths.empty())
    return createStringError("'" + Folder + "' holds no *.json");
  llvm::sort(Paths);
  std::vector<TruthCase> All;
  for (const std::string &Path : Paths) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer = MemoryBuffer::getFile(Path);
    if (!Buffer)
      return createFileError(Path, Buffer.getError());
    Expected<std::vector<TruthCase>> Cases =
        parseTruthFile((*Buffer)->getBuffer(), Path);
    if (!Cases)
      return Cases.takeError();
    llvm::append_range(All, std::move(*Cases));
  }
  return All;
}
