//===- MlirPlugin.cpp - The pass plugin of MLIR ---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// mlir-opt-22 --load-pass-plugin=GpuOccupancyMLIR.so
///   --pass-pipeline='builtin.module(gpu-occupancy{device=nvidia-h200})' a.mlir
///
//===----------------------------------------------------------------------===//

#include "EmitFindings.h"
#include "ReadKernel.h"
#include "driver/Session.h"
#include "gpuocc/ReadMLIR/CollectLaunches.h"
#include "gpuocc/Report/Selection.h"
#include "gpuocc/Support/CudaToolkit.h"
#include "gpuocc/Support/OutputFile.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/WriteJSON.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace gpuocc;
using namespace mlir;

/// What kernels are lowered for where nobody names a device.
static constexpr llvm::StringLiteral FallbackChip = "sm_90";

/// Below the root of a toolkit.
static constexpr llvm::StringLiteral DeviceLibrary =
    "nvvm/libdevice/libdevice.10.bc";

static std::string findDeviceLibrary() {
  const CudaToolkit Toolkit =
      findCudaToolkit(CudaToolkitPlaces::ofThisMachine());
  if (Toolkit.Root.empty())
    return "";
  SmallString<128> Path(Toolkit.Root);
  llvm::sys::path::append(Path, DeviceLibrary);
  return llvm::sys::fs::exists(Path) ? Path.str().str() : std::string();
}

namespace {

/// Assesses the kernels of a module, which does not change but for attributes
/// that were asked for.
class GpuOccupancyPass
    : public PassWrapper<GpuOccupancyPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GpuOccupancyPass)

  GpuOccupancyPass() = default;
  GpuOccupancyPass(const GpuOccupancyPass &Other) : PassWrapper(Other) {}

  StringRef getArgument() const override { return "gpu-occupancy"; }
  StringRef getDescription() const override {
    return "Predict which hardware limit each GPU kernel hits";
  }
  void getDependentDialects(DialectRegistry &Registry) const override {
    registerLowering(Registry);
  }
  void runOnOperation() override;

private:
  llvm::Expected<SessionOptions> sessionOptions() const;
  bool wantsReport() const {
    return Attributes || !ReportFile.empty() ||
           Remarks == MlirRemarks::Costly || Remarks == MlirRemarks::All;
  }
  MlirOptions readingOptions(const DeviceCode &Code,
                             StringRef Architecture) const;
  void run(const DeviceCode &Code, Session &S, StringRef Architecture,
           FindingEmitter &Emit);
  void writeFiles();
  void warn(llvm::Error E);

  Option<std::string> Device{*this, "device",
                             llvm::cl::desc("a built-in device or a file")};
  Option<std::string> ConfigPath{
      *this, "config",
      llvm::cl::desc("configuration instead of the nearest .gpu-occupancy")};
  Option<std::string> Launches{
      *this, "launch",
      llvm::cl::desc("launches, separated by ';': "
                     "{KERNEL:grid=WxH,block=WxH,shared=N,ARG=N;...}")};
  Option<std::string> ReportFile{*this, "report-file",
                                 llvm::cl::desc("write the report as JSON")};
  Option<std::string> FactsPath{*this, "facts-file",
                                llvm::cl::desc("write kernel facts as JSON")};
  Option<bool> Attributes{
      *this, "attributes", llvm::cl::init(false),
      llvm::cl::desc("give kernels attributes that say what is predicted")};
  Option<MlirRemarks> Remarks{
      *this, "remarks", llvm::cl::init(MlirRemarks::Costly),
      llvm::cl::desc("which findings are told"),
      llvm::cl::values(
          clEnumValN(MlirRemarks::None, "none", "none"),
          clEnumValN(MlirRemarks::NotLowered, "notes",
                     "kernels that cannot be lowered"),
          clEnumValN(MlirRemarks::Costly, "costly",
                     "verdicts, what costs time, what is not analyzed"),
          clEnumValN(MlirRemarks::All, "all", "the evidence too"))};
  Option<unsigned> MaxFindings{
      *this, "max-findings", llvm::cl::init(DefaultMaxFindings),
      llvm::cl::desc("findings told per kernel; 0 tells all")};
  Option<bool> BarePointers{
      *this, "bare-pointers", llvm::cl::init(false),
      llvm::cl::desc("memref arguments of kernels are one pointer each")};
  Option<std::string> Arch{
      *this, "arch",
      llvm::cl::desc("architecture instead of the device's or #nvvm.target's")};
  Option<std::string> Ptxas{
      *this, "ptxas", llvm::cl::init("auto"),
      llvm::cl::desc("assembler that is asked for registers: auto, off, FILE")};
  Option<std::string> View{
      *this, "view", llvm::cl::init("mir"),
      llvm::cl::desc("code that is priced: auto, mir or sass")};
  Option<unsigned> RegisterLimit{
      *this, "maxrregcount", llvm::cl::init(0),
      llvm::cl::desc("the most registers that a thread may have; 0: no limit")};
  Option<bool> Advise{
      *this, "advise", llvm::cl::init(false),
      llvm::cl::desc("look for launch bounds and block sizes that pay")};
  Option<std::string> Without{
      *this, "without",
      llvm::cl::desc("predict without mechanisms of the model")};

  Report All;
  FactsFile Facts;
  Mechanisms Used;
};

} // namespace

llvm::Expected<SessionOptions> GpuOccupancyPass::sessionOptions() const {
  SessionOptions Options;
  Options.Device = Device;
  Options.ConfigPath = ConfigPath;
  Options.IsOneOfMany = true;
  Options.Advise = Advise;
  if (!Without.empty())
    if (llvm::Error E = leaveOut(Without, Options.Used))
      return std::move(E);
  SmallVector<StringRef> Texts;
  StringRef(Launches).split(Texts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Text : Texts)
    Options.Launches.push_back(Text.trim().str());
  return Options;
}

MlirOptions GpuOccupancyPass::readingOptions(const DeviceCode &Code,
                                             StringRef Architecture) const {
  MlirOptions Options;
  Options.Source.Ptxas = Ptxas;
  Options.Source.View = View;
  Options.Source.RegisterLimit = RegisterLimit;
  Options.Source.Advise = Advise;
  Options.Source.Used = Used;
  LoweringOptions &Lowering = Options.Lowering;
  Lowering.BarePointers = BarePointers;
  Lowering.DeviceLibrary = findDeviceLibrary();
  Lowering.Target = targetOf(Code.Holder);
  const StringRef Wanted = !Architecture.empty() ? Architecture
                           : !Lowering.Target.Chip.empty()
                               ? StringRef(Lowering.Target.Chip)
                               : StringRef(FallbackChip);
  // Features are those of another chip.
  if (Wanted != Lowering.Target.Chip)
    Lowering.Target.Features.clear();
  Lowering.Target.Chip = Wanted.str();
  return Options;
}

/// A mistake of options or files, which fails no pipeline.
void GpuOccupancyPass::warn(llvm::Error E) {
  llvm::handleAllErrors(std::move(E), [&](const llvm::ErrorInfoBase &Info) {
    emitWarning(getOperation().getLoc())
        << "gpu-occupancy: " << printable(Info.message());
  });
}

void GpuOccupancyPass::run(const DeviceCode &Code, Session &S,
                           StringRef Architecture, FindingEmitter &Emit) {
  const MlirOptions Options = readingOptions(Code, Architecture);
  DialectRegistry Registry;
  getContext().getDialectRegistry().appendTo(Registry);
  const std::string Bytecode = writeBytecode(Code);
  std::vector<KernelFacts> Kernels;
  const LocationIndex Locations(getOperation());
  for (mlir::Operation *Kernel : Code.Kernels) {
    const StringRef Name = symbolOf(Kernel);
    auto Refuse = [&](const std::string &Why, Location Loc) {
      const std::string Text = ("'" + Name + "' is not analyzed: " + Why).str();
      Emit.addNotAnalyzed(Name, Text, Loc);
      Facts.Problem += (Facts.Problem.empty() ? "" : "; ") + Text;
    };
    auto Read = readKernel(Bytecode, Name, Registry, Options);
    if (Read) {
      llvm::append_range(Kernels, std::move(*Read));
      continue;
    }
    llvm::handleAllErrors(
        Read.takeError(),
        [&](const LoweringError &E) {
          Refuse(E.Text, Locations.find(E.Place, Kernel->getLoc()));
        },
        [&](const llvm::ErrorInfoBase &E) {
          Refuse(E.message(), Kernel->getLoc());
        });
  }
  std::vector<HostLaunch> Launched =
      collectLaunches(getOperation(), Code, BarePointers);
  llvm::append_range(Facts.Kernels, Kernels);
  llvm::append_range(Facts.Launches, Launched);
  if (!wantsReport())
    return;
  llvm::Expected<SessionResult> Result =
      S.assessAll(std::move(Kernels), Launched);
  if (!Result)
    return warn(Result.takeError());
  for (mlir::Operation *Kernel : Code.Kernels) {
    std::vector<const KernelReport *> Reports;
    for (const KernelReport &R : Result->What.Kernels)
      if (StringRef(R.Facts.Name) == symbolOf(Kernel)) {
        Emit.add(R, Kernel);
        Reports.push_back(&R);
      }
    if (Attributes)
      annotateKernel(Kernel, Reports);
    for (const KernelReport &R : Result->What.Refused)
      if (StringRef(R.Facts.Name) == symbolOf(Kernel))
        Emit.add(R, Kernel);
    for (const SessionNote &Note : Result->Notes)
      if (!Note.IsInReport && StringRef(Note.Kernel) == symbolOf(Kernel))
        Emit.addNotAnalyzed(Note.Kernel, Note.Text, Kernel->getLoc());
  }
  for (const SessionNote &Note : Result->Notes)
    if (Note.Kernel.empty())
      warn(llvm::createStringError(Note.Text));
  All.append(std::move(Result->What));
}

void GpuOccupancyPass::writeFiles() {
  if (!ReportFile.empty()) {
    JSONOptions WithData;
    WithData.Contents = JSONContents::WithData;
    if (llvm::Error E = writeOutput(ReportFile, [&](llvm::raw_ostream &OS) {
          return writeJSON(All, WithData, OS);
        }))
      warn(std::move(E));
  }
  if (!FactsPath.empty())
    if (llvm::Error E = writeOutput(FactsPath, [&](llvm::raw_ostream &OS) {
          writeFactsFile(Facts, OS);
          return llvm::Error::success();
        }))
      warn(std::move(E));
}

void GpuOccupancyPass::runOnOperation() {
  ModuleOp Root = getOperation();
  All = Report();
  All.Tool = toolVersion();
  const SourceLocation Where = gpuocc::placesOf(Root.getLoc());
  Facts = FactsFile();
  Facts.SourceFile = Where.isValid() ? Where.innermost().File : "";
  if (!Attributes)
    markAllAnalysesPreserved();
  llvm::Expected<SessionOptions> Options = sessionOptions();
  if (!Options)
    return warn(Options.takeError());
  Used = Options->Used;
  llvm::Expected<Session> S = Session::create(*Options, Facts.SourceFile);
  if (!S)
    return warn(S.takeError());
  llvm::Expected<std::string> Architecture =
      Arch.empty() ? S->architecture() : llvm::Expected<std::string>(Arch);
  if (!Architecture)
    return warn(Architecture.takeError());
  const LocationIndex Locations(Root);
  FindingEmitter Emit(Locations, Remarks, MaxFindings);
  Root.walk([&](gpu::LaunchOp Op) {
    Emit.addNotAnalyzed("",
                        "gpu.launch is not analyzed: run "
                        "gpu-kernel-outlining before gpu-occupancy",
                        Op.getLoc());
  });
  for (const DeviceCode &Code : findDeviceCode(Root))
    run(Code, *S, *Architecture, Emit);
  Emit.tell();
  writeFiles();
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "GpuOccupancyMLIR", GPUOCC_VERSION,
          [] { PassRegistration<GpuOccupancyPass>(); }};
}
