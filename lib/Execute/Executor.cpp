//===- Executor.cpp - Kernels run on the host -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Execute/Executor.h"
#include "FollowWarps.h"
#include "GridRun.h"
#include "RuntimeFunctions.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include <cstring>
#include <utility>

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

char KernelFailure::ID = 0;

/// What a launch may have at most; the same for all devices of CUDA.
static constexpr uint64_t MostBlockThreads = 1024;

/// The last blocks of a grid that are watched beside the others, at most.
static constexpr unsigned MostLast = 16;

namespace {

/// A variable of a module and where it lies.
struct Variable {
  uint64_t Bytes = 0;
  void *Address = nullptr;
  /// Where the host has no variable of its own.
  std::unique_ptr<char[]> Own;
};

struct DeviceModule {
  std::string Bitcode;
  SharedLayout Layout;
  /// The code that is priced, where another compiler made it; else empty.
  std::string Priced;
  SharedLayout PricedLayout;
  StringMap<Variable> Variables;
  /// By what they keep.
  StringMap<Expected<CompiledKernel>> Kernels[NumWatchings];
  orc::JITDylib *Code = nullptr;
  bool IsLoaded = false;
  /// Its variables point to functions of a module that was not added yet.
  bool IsPending = false;
};

/// Finds what generated code calls.
class RuntimeGenerator : public orc::DefinitionGenerator {
public:
  Error tryToGenerate(orc::LookupState &, orc::LookupKind, orc::JITDylib &To,
                      orc::JITDylibLookupFlags,
                      const orc::SymbolLookupSet &Wanted) override {
    orc::SymbolMap Found;
    for (const auto &[Name, Flags] : Wanted)
      if (void *Address = runtimeFunction(*Name))
        Found[Name] = {orc::ExecutorAddr::fromPtr(Address),
                       JITSymbolFlags::Exported};
    return Found.empty() ? Error::success()
                         : To.define(orc::absoluteSymbols(std::move(Found)));
  }
};

} // namespace

class Executor::Impl {
public:
  std::unique_ptr<orc::LLJIT> Jit;
  std::unique_ptr<TargetMachine> Target;
  std::unique_ptr<DefaultThreadPool> Pool;
  unsigned NumWorkers = 1;
  bool TellsPaths = false;
  std::vector<std::unique_ptr<DeviceModule>> Modules;
  BlockPlaces Places;
  std::mutex Lock;
  std::atomic<uint64_t> NumLaunches = 0;
  FollowBudget Budget;

  Error start(const ExecutorOptions &Options);
  Expected<std::unique_ptr<Module>> parse(StringRef Bitcode,
                                          LLVMContext &Context);
  Error defineVariables(DeviceModule &M);
  Error load(DeviceModule &M);
  /// Writes the initial values of the variables of \p M. Where they point to
  /// functions that no module defines, it is left pending if it may wait for
  /// one, and fails otherwise.
  Error initialize(DeviceModule &M, bool MayWait);
  /// Adds to \p Code of \p M the functions of other modules that it calls.
  Error linkCalled(DeviceModule &M, Module &Code);
  Expected<CompiledKernel> compile(DeviceModule &M, StringRef Name,
                                   Watching Watch);
  Expected<const CompiledKernel &> kernel(unsigned Module, StringRef Name,
                                          Watching Watch = Watching::Nothing);
  VariableAddresses variablesOf(unsigned Module);
  /// Follows warps of \p Launch of kernel \p Name of \p Module.
  void followAhead(unsigned Module, StringRef Name,
                   const ExecuteLaunch &Launch);
};

Error Executor::Impl::start(const ExecutorOptions &Options) {
  TellsPaths = Options.TellsPaths;
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  auto Builder = orc::JITTargetMachineBuilder::detectHost();
  if (!Builder)
    return Builder.takeError();
  Builder->setCodeGenOptLevel(CodeGenOptLevel::Aggressive);
  // Their conversions to bfloat make zeros of subnormal numbers.
  if (Builder->getTargetTriple().isX86())
    for (StringRef Feature : {"avx512bf16", "avxneconvert"})
      Builder->getFeatures().AddFeature(Feature, false);
  // Products and sums that the front end lets join do, as on a GPU.
  Builder->getOptions().AllowFPOpFusion = FPOpFusion::Standard;
  if (Error E = Builder->createTargetMachine().moveInto(Target))
    return E;
  if (Error E = orc::LLJITBuilder()
                    .setJITTargetMachineBuilder(*Builder)
                    .create()
                    .moveInto(Jit))
    return E;
  NumWorkers = hardware_concurrency(Options.NumWorkers).compute_thread_count();
  Pool = std::make_unique<DefaultThreadPool>(hardware_concurrency(NumWorkers));
  return Error::success();
}

Expected<std::unique_ptr<Module>> Executor::Impl::parse(StringRef Bitcode,
                                                        LLVMContext &Context) {
  return parseBitcodeFile(MemoryBufferRef(Bitcode, "device code"), Context);
}

Error Executor::Impl::defineVariables(DeviceModule &M) {
  orc::SymbolMap Symbols;
  for (auto &Entry : M.Variables) {
    Variable &V = Entry.getValue();
    if (!V.Address) {
      // Vectors of 16 bytes are the widest that code loads.
      V.Own = std::make_unique<char[]>(V.Bytes + 16);
      V.Address = reinterpret_cast<void *>(
          alignTo(uintptr_t(V.Own.get()), uint64_t(16)));
    }
    Symbols[Jit->mangleAndIntern(Entry.getKey())] = {
        orc::ExecutorAddr::fromPtr(V.Address), JITSymbolFlags::Exported};
  }
  return Symbols.empty()
             ? Error::success()
             : M.Code->define(orc::absoluteSymbols(std::move(Symbols)));
}

Error Executor::Impl::load(DeviceModule &M) {
  if (M.IsLoaded)
    return Error::success();
  M.IsLoaded = true;
  if (Error E = defineVariables(M))
    return E;
  return M.Variables.empty() ? Error::success()
                             : initialize(M, /*MayWait=*/true);
}

/// Does a variable of \p Code point to a function that it does not define?
static bool pointsElsewhere(const Module &Code) {
  return any_of(Code, [](const Function &F) {
    return F.isDeclaration() &&
           any_of(F.users(), [](const User *U) { return isa<Constant>(U); });
  });
}

Error Executor::Impl::initialize(DeviceModule &M, bool MayWait) {
  auto Context = std::make_unique<LLVMContext>();
  Expected<std::unique_ptr<Module>> Parsed = parse(M.Bitcode, *Context);
  if (!Parsed)
    return Parsed.takeError();
  const bool Waits = MayWait && pointsElsewhere(**Parsed);
  if (Error E = linkCalled(M, **Parsed))
    return E;
  M.IsPending = Waits && pointsElsewhere(**Parsed);
  if (M.IsPending)
    return Error::success();
  Expected<std::vector<std::string>> Names =
      retargetVariables(**Parsed, M.Layout, *Target);
  // What is pointed to may call a function of a third file.
  if (!Names && Waits) {
    consumeError(Names.takeError());
    M.IsPending = true;
    return Error::success();
  }
  if (!Names)
    return Names.takeError();
  if (Error E =
          Jit->addIRModule(*M.Code, orc::ThreadSafeModule(std::move(*Parsed),
                                                          std::move(Context))))
    return E;
  for (const std::string &Name : *Names) {
    auto Initial = Jit->lookup(*M.Code, Name + InitialSuffix.str());
    if (!Initial)
      return Initial.takeError();
    const Variable &V = M.Variables[Name];
    std::memcpy(V.Address, Initial->toPtr<void *>(), V.Bytes);
  }
  return Error::success();
}

/// Does \p Code call a function that \p Other defines and it does not?
static bool callsInto(const Module &Code, const Module &Other) {
  return any_of(Code, [&](const Function &F) {
    const Function *Defined = F.isDeclaration() && !F.use_empty()
                                  ? Other.getFunction(F.getName())
                                  : nullptr;
    return Defined && !Defined->isDeclaration() && !Defined->hasLocalLinkage();
  });
}

Error Executor::Impl::linkCalled(DeviceModule &M, Module &Code) {
  // What is linked may call more.
  for (bool Linked = true; std::exchange(Linked, false);)
    for (const std::unique_ptr<DeviceModule> &Other : Modules) {
      // Shared variables have places in their own module only.
      if (Other.get() == &M || !Other->Layout.Offsets.empty())
        continue;
      Expected<std::unique_ptr<Module>> From =
          parse(Other->Bitcode, Code.getContext());
      if (!From)
        return From.takeError();
      if (!callsInto(Code, **From))
        continue;
      if (Error E = load(*Other))
        return E;
      M.Code->addToLinkOrder(*Other->Code);
      if (Linker::linkModules(Code, std::move(*From), Linker::LinkOnlyNeeded))
        return createStringError("calls functions of another module, with "
                                 "which it cannot be linked");
      Linked = true;
    }
  return Error::success();
}

Expected<CompiledKernel>
Executor::Impl::compile(DeviceModule &M, StringRef Name, Watching Watch) {
  if (Error E = load(M))
    return std::move(E);
  if (M.IsPending)
    if (Error E = initialize(M, /*MayWait=*/false))
      return std::move(E);
  auto Context = std::make_unique<LLVMContext>();
  const bool IsPriced = Watch == Watching::Paths && !M.Priced.empty();
  const SharedLayout &Layout = IsPriced ? M.PricedLayout : M.Layout;
  Expected<std::unique_ptr<Module>> Parsed =
      parse(IsPriced ? M.Priced : M.Bitcode, *Context);
  if (!Parsed)
    return Parsed.takeError();
  const Function *Found = (*Parsed)->getFunction(Name);
  if (!Found || Found->isDeclaration())
    return createStringError("the module does not define it");
  if (Error E = linkCalled(M, **Parsed))
    return std::move(E);
  Expected<HostKernel> Host =
      retargetKernel(**Parsed, Name, Layout, *Target, Watch, TellsPaths);
  if (!Host)
    return Host.takeError();
  if (Error E =
          Jit->addIRModule(*M.Code, orc::ThreadSafeModule(std::move(*Parsed),
                                                          std::move(Context))))
    return std::move(E);
  auto Entry = Jit->lookup(*M.Code, Host->Entry);
  if (!Entry)
    return Entry.takeError();
  return CompiledKernel{std::move(*Host), Entry->toPtr<void *>(),
                        Layout.StaticBytes};
}

/// A failure stays: \p E is told each time.
static Error copyOf(Expected<CompiledKernel> &Kernel) {
  const std::string Why = toString(Kernel.takeError());
  Kernel = createStringError(Why);
  return createStringError(Why);
}

Expected<const CompiledKernel &>
Executor::Impl::kernel(unsigned Module, StringRef Name, Watching Watch) {
  std::lock_guard<std::mutex> Guard(Lock);
  if (Module >= Modules.size())
    return createStringError("there is no device module");
  DeviceModule &M = *Modules[Module];
  auto &Kernels = M.Kernels[size_t(Watch)];
  auto It = Kernels.find(Name);
  if (It == Kernels.end())
    It = Kernels.try_emplace(Name, compile(M, Name, Watch)).first;
  Expected<CompiledKernel> &Found = It->getValue();
  if (!Found)
    return copyOf(Found);
  return *Found;
}

VariableAddresses Executor::Impl::variablesOf(unsigned Module) {
  std::lock_guard<std::mutex> Guard(Lock);
  VariableAddresses Out;
  for (const auto &Entry : Modules[Module]->Variables)
    Out[Entry.getKey().str()] = uint64_t(uintptr_t(Entry.getValue().Address));
  return Out;
}

void Executor::Impl::followAhead(unsigned Module, StringRef Name,
                                 const ExecuteLaunch &Launch) {
  Expected<const CompiledKernel &> Followed =
      kernel(Module, Name, Watching::Paths);
  if (!Followed)
    return consumeError(Followed.takeError());
  followWarps(*Followed, Launch, Budget);
}

Executor::Executor(std::unique_ptr<Impl> I) : I(std::move(I)) {}
Executor::~Executor() {
  for (auto &M : I->Modules)
    for (auto &Kernels : M->Kernels)
      for (auto &Kernel : Kernels)
        if (Expected<CompiledKernel> &K = Kernel.getValue(); !K)
          consumeError(K.takeError());
}

Expected<std::unique_ptr<Executor>>
Executor::create(const ExecutorOptions &Options) {
  auto New = std::make_unique<Impl>();
  if (Error E = New->start(Options))
    return std::move(E);
  return std::unique_ptr<Executor>(new Executor(std::move(New)));
}

Expected<unsigned> Executor::addModule(StringRef Bitcode, StringRef Priced) {
  auto New = std::make_unique<DeviceModule>();
  New->Bitcode = Bitcode.str();
  LLVMContext Context;
  Expected<std::unique_ptr<Module>> Parsed = I->parse(Bitcode, Context);
  if (!Parsed)
    return Parsed.takeError();
  if (!(*Parsed)->getTargetTriple().isNVPTX())
    return createStringError("a module for '" +
                             (*Parsed)->getTargetTriple().str() +
                             "' is not for an NVIDIA GPU");
  New->Layout = layOutShared(**Parsed);
  if (!Priced.empty()) {
    Expected<std::unique_ptr<Module>> Other = I->parse(Priced, Context);
    if (!Other)
      return Other.takeError();
    New->Priced = Priced.str();
    New->PricedLayout = layOutShared(**Other);
  }
  for (const GlobalVariable &V : (*Parsed)->globals())
    if (isProgramVariable(V))
      New->Variables[V.getName()].Bytes =
          (*Parsed)->getDataLayout().getTypeAllocSize(V.getValueType());
  std::lock_guard<std::mutex> Guard(I->Lock);
  const unsigned Number = unsigned(I->Modules.size());
  auto Code = I->Jit->createJITDylib("module" + std::to_string(Number));
  if (!Code)
    return Code.takeError();
  New->Code = &*Code;
  New->Code->addGenerator(std::make_unique<RuntimeGenerator>());
  I->Modules.push_back(std::move(New));
  return Number;
}

void Executor::bindVariable(unsigned Module, StringRef Name, void *Address,
                            uint64_t Bytes) {
  std::lock_guard<std::mutex> Guard(I->Lock);
  auto &Variables = I->Modules[Module]->Variables;
  // The compiler may have left out what no kernel uses.
  if (auto It = Variables.find(Name);
      It != Variables.end() && It->getValue().Bytes <= Bytes)
    It->getValue().Address = Address;
}

Error Executor::load(unsigned Module) {
  std::lock_guard<std::mutex> Guard(I->Lock);
  if (Error E = I->load(*I->Modules[Module]))
    return E;
  for (const std::unique_ptr<DeviceModule> &M : I->Modules)
    if (M->IsPending)
      if (Error E = I->initialize(*M, /*MayWait=*/true))
        return E;
  return Error::success();
}

void *Executor::variable(unsigned Module, StringRef Name) {
  std::lock_guard<std::mutex> Guard(I->Lock);
  const auto &Variables = I->Modules[Module]->Variables;
  auto It = Variables.find(Name);
  return It == Variables.end() ? nullptr : It->getValue().Address;
}

Expected<bool> Executor::hasStacks(unsigned Module, StringRef Name) {
  Expected<const CompiledKernel &> Kernel = I->kernel(Module, Name);
  if (!Kernel)
    return Kernel.takeError();
  return Kernel->Host.HasStacks;
}

Expected<RunEffects> Executor::effects(unsigned Module, StringRef Name) {
  Expected<const CompiledKernel &> Kernel = I->kernel(Module, Name);
  if (!Kernel)
    return Kernel.takeError();
  return Kernel->Host.Effects;
}

Error Executor::launch(unsigned Module, StringRef Name,
                       const ExecuteLaunch &Launch) {
  if (Launch.Grid.count() == 0 || Launch.Block.count() == 0 ||
      Launch.Block.count() > MostBlockThreads)
    return createStringError("a launch has 1 to 1024 threads a block, and a "
                             "block at least");
  Expected<const CompiledKernel &> Kernel =
      I->kernel(Module, Name,
                Launch.TurnsFile.empty() ? Watching::Nothing : Watching::Turns);
  if (!Kernel)
    return Kernel.takeError();
  const ExecuteExtent Cluster = clusterOf(*Kernel, Launch);
  if (Cluster.count() > ClusterState::MostBlocks ||
      Launch.Grid.X % Cluster.X != 0 || Launch.Grid.Y % Cluster.Y != 0 ||
      Launch.Grid.Z % Cluster.Z != 0)
    return createStringError("a cluster has up to 16 blocks, and a grid whole "
                             "clusters");
  if (!Launch.FollowedFile.empty() && !I->TellsPaths &&
      mayRunAhead(*Kernel, Launch))
    I->followAhead(Module, Name, Launch);
  GridRun Run(*Kernel, Launch, I->Places, ++I->NumLaunches);
  auto RunAndWarn = [&]() -> Error {
    Error Failure = Run.run(*I->Pool, I->NumWorkers);
    if (Launch.Warning)
      *Launch.Warning = Run.warning();
    return Failure;
  };
  std::optional<ReadSample> Sample;
  if (!Launch.SeenFile.empty()) {
    Expected<const CompiledKernel &> Watched =
        I->kernel(Module, Name, Watching::Reads);
    if (!Watched)
      return Watched.takeError();
    Sample.emplace(Launch.Grid.count(), std::min(I->NumWorkers, MostLast));
    Run.watch(*Watched, *Sample);
  }
  std::optional<LoopTurns> Turns;
  if (!Kernel->Host.Loops.empty()) {
    Turns.emplace(Kernel->Host.Loops, unsigned(Launch.Block.count()),
                  Sample ? Sample->numbers()
                         : spreadBlocks(Launch.Grid.count(), MostBlocks));
    Run.count(*Turns);
  }
  std::optional<GridPaths> Paths;
  if (!Kernel->Host.Paths.Blocks.empty() && !Launch.PathsFile.empty()) {
    Paths.emplace(Kernel->Host.Paths, unsigned(Launch.Block.count()),
                  Launch.Grid.count());
    Run.count(*Paths);
  }
  if (Error E = RunAndWarn())
    return E;
  auto Extent = [](const ExecuteExtent &E) { return Dim3{E.X, E.Y, E.Z}; };
  // Without the files the launch is walked as if nothing had been seen.
  if (Sample)
    consumeError(writeSeenBlocks(Launch.SeenFile, Extent(Launch.Grid),
                                 Extent(Launch.Block), Sample->takeBlocks(),
                                 I->variablesOf(Module)));
  if (Turns)
    consumeError(Turns->take(Extent(Launch.Grid), Extent(Launch.Block))
                     .write(Launch.TurnsFile));
  if (Paths)
    if (const std::optional<ExecutedCounts> Counts = Paths->take())
      consumeError(Counts->write(Launch.PathsFile));
  return Error::success();
}
