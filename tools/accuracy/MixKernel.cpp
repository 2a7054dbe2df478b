//===- MixKernel.cpp - The synthetic mixes of Volkov's thesis -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MixKernel.h"
#include "gpuocc/Device/DeviceModel.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

static constexpr MixFamily Families[] = {
    {MixKind::DramLoad, "alpha-dram", "coalesced load from DRAM"},
    {MixKind::RandomLoad, "alpha-random", "random load from DRAM"},
    {MixKind::Mufu, "alpha-mufu", "reciprocal square root"},
    {MixKind::Shared, "alpha-shared", "shared load"},
    {MixKind::SharedTwoWay, "alpha-shared-2way", "shared load, 2-way conflict"},
};

ArrayRef<MixFamily> gpuocc::mixFamilies() { return Families; }

static bool isLoad(MixKind Kind) { return Kind != MixKind::Mufu; }
static bool isShared(MixKind Kind) {
  return Kind == MixKind::Shared || Kind == MixKind::SharedTwoWay;
}

/// Groups of each chain in the body of the loop.
static unsigned unrolledGroups(const MixSpec &Mix) {
  return std::clamp(640 / ((Mix.Alpha + 2) * Mix.Ilp), 1u, 16u);
}

namespace {

/// Appends operations to the block that is under construction.
class BodyBuilder {
public:
  explicit BodyBuilder(KernelFacts &Facts) : Facts(Facts) {}

  uint32_t block(uint32_t Loop = NoIndex) {
    Facts.Blocks.emplace_back();
    Facts.Blocks.back().FirstOp = Facts.Operations.size();
    Facts.Blocks.back().Loop = Loop;
    return Facts.Blocks.size() - 1;
  }

  uint32_t op(InstClass Class, ArrayRef<uint32_t> Inputs) {
    Operation Op;
    Op.Opcode = instClassKey(Class).str();
    Op.Emits = {Emission{Class}};
    for (uint32_t Input : Inputs)
      Op.Operands.push_back(Operand::value(Input));
    return push(std::move(Op));
  }

  uint32_t phi() {
    Operation Op;
    Op.Opcode = "phi";
    Op.What = Semantics::Phi;
    return push(std::move(Op));
  }

  /// Load number \p Number of a row.
  uint32_t load(const MixSpec &Mix, uint32_t Address, unsigned Number) {
    uint32_t Op =
        op(isShared(Mix.Kind) ? InstClass::LdShared : InstClass::LdGlobal,
           {Address});
    MemoryAccess A;
    A.Op = Op;
    A.Space = isShared(Mix.Kind) ? MemorySpace::Shared : MemorySpace::Global;
    A.BytesPerLane = Mix.Kind == MixKind::RandomLoad ? 8 : 4;
    // As measured: chains of shared loads keep their order.
    A.Volatile = isShared(Mix.Kind);
    A.Base = Operand::value(Address);
    if (Mix.Kind == MixKind::DramLoad) {
      // Lines in a row, behind the pointer that the kernel begins with.
      A.Base = Operand::value(0);
      A.OffsetBytes = 128 * Number;
    }
    Facts.Operations[Op].What = Semantics::Load;
    Facts.Operations[Op].Access = Facts.Accesses.size();
    Facts.Accesses.push_back(A);
    return Op;
  }

private:
  uint32_t push(Operation Op) {
    Op.Block = Facts.Blocks.size() - 1;
    ++Facts.Blocks.back().NumOps;
    Facts.Operations.push_back(std::move(Op));
    return Facts.Operations.size() - 1;
  }

  KernelFacts &Facts;
};

} // namespace

static AccessProfile accessProfile(MixKind Kind, double Executions) {
  AccessProfile P;
  P.ExecutionsPerWarp = P.RequestsPerWarp = Executions;
  P.Exact = Exactness::Exact;
  switch (Kind) {
  case MixKind::DramLoad:
    P.SectorsPerRequest = P.IdealSectorsPerRequest = 4;
    P.LinesPerRequest = 1;
    P.WavefrontsPerRequest = P.IdealWavefrontsPerRequest = 1;
    break;
  case MixKind::RandomLoad:
    P.Exact = Exactness::DataDependent;
    P.IsInOrder = false;
    P.SectorsPerRequest = P.LinesPerRequest = 32;
    P.IdealSectorsPerRequest = 8;
    P.WavefrontsPerRequest = 32;
    P.IdealWavefrontsPerRequest = 2;
    break;
  case MixKind::Shared:
  case MixKind::SharedTwoWay:
    P.WavefrontsPerRequest = Kind == MixKind::Shared ? 1 : 2;
    P.IdealWavefrontsPerRequest = 1;
    break;
  case MixKind::Mufu:
    break;
  }
  return P;
}

/// The unrolled groups: the slow instruction of each chain, then the additions,
/// chain by chain.
static void addGroups(BodyBuilder &Body, const MixSpec &Mix,
                      MutableArrayRef<uint32_t> Chains) {
  unsigned Loads = 0;
  for (unsigned Group = 0; Group != unrolledGroups(Mix); ++Group) {
    for (uint32_t &Chain : Chains)
      if (isLoad(Mix.Kind))
        Chain = Body.load(Mix,
                          Mix.Frame == MixFrame::Measured
                              ? Body.op(InstClass::Lop3, {Chain})
                              : Chain,
                          Loads++);
      else
        Chain = Body.op(InstClass::MufuRsq, {Chain});
    for (unsigned I = 0; I != Mix.Alpha; ++I)
      for (uint32_t &Chain : Chains)
        Chain = Body.op(InstClass::FAdd, {Chain});
  }
}

MixKernel gpuocc::mixKernel(const MixSpec &Mix) {
  // About the length of a measured warp, which makes its replacement matter as
  // much.
  unsigned AdditionsPerWarp =
      Mix.Frame == MixFrame::Measured ? 10000 : 100000000;
  MixKernel K;
  KernelFacts &Facts = K.Facts;
  Facts.Name = "mix";
  Facts.Resources.RegistersPerThread = 32;
  BodyBuilder Body(Facts);
  uint32_t Entry = Body.block();
  Body.op(InstClass::Mov, {});

  uint32_t Loop = Body.block(0);
  SmallVector<uint32_t, 4> Phis, Chains;
  for (unsigned I = 0; I != Mix.Ilp; ++I)
    Phis.push_back(Body.phi());
  uint32_t Counter = Body.phi();
  Chains = Phis;
  addGroups(Body, Mix, Chains);
  uint32_t Next = Body.op(InstClass::IAdd3, {Counter});
  if (Mix.Kind == MixKind::DramLoad) // The row moves on: a 64-bit sum.
    Body.op(InstClass::IAdd3, {Body.op(InstClass::IAdd3, {})});
  uint32_t Branch =
      Body.op(InstClass::Branch, {Body.op(InstClass::ISetp, {Next})});
  Phis.push_back(Counter);
  Chains.push_back(Next);
  for (auto [Phi, Last] : zip(Phis, Chains)) {
    Facts.Operations[Phi].Operands = {Operand(), Operand::value(Last)};
    Facts.Operations[Phi].PhiBlocks = {Entry, Loop};
  }
  if (Mix.Frame == MixFrame::Bare)
    for (uint32_t Op = Chains.back(); Op <= Branch; ++Op)
      Facts.Operations[Op].Emits.clear();
  uint32_t Exit = Body.block();
  Body.op(InstClass::Exit, {});

  Facts.Blocks[Entry].Successors = {Loop};
  Facts.Blocks[Entry].PostDominator = Loop;
  Facts.Blocks[Loop].Successors = {Loop, Exit};
  Facts.Blocks[Loop].PostDominator = Exit;
  Facts.Blocks[Loop].Branch = 0;
  gpuocc::Branch Back;
  Back.Op = Branch;
  Back.Block = Loop;
  Back.Targets = {Loop, Exit};
  Facts.Branches.push_back(Back);
  gpuocc::Loop L;
  L.Header = Loop;
  L.Blocks = L.Latches = {Loop};
  Facts.Loops.push_back(L);

  unsigned Groups = unrolledGroups(Mix);
  double Slow = isLoad(Mix.Kind) && !isShared(Mix.Kind) ? 180 : 5;
  double Trips = std::max(
      1.0, std::floor(AdditionsPerWarp / (Groups * (Slow + Mix.Alpha))));
  K.GroupsPerWarp = Trips * Groups * Mix.Ilp;
  K.Profile.Blocks = {{1, 1}, {Trips, 1}, {1, 1}};
  K.Profile.Loops.push_back({Trips, 1, Exactness::Exact, ""});
  BranchProfile Back2;
  Back2.ExecutionsPerWarp = Trips;
  Back2.TakenLaneFraction = (Trips - 1) / Trips;
  K.Profile.Branches.push_back(Back2);
  K.Profile.Accesses.assign(Facts.Accesses.size(),
                            accessProfile(Mix.Kind, Trips));
  K.How.Block.Value = {128, 1, 1};
  return K;
}

namespace {

/// Reads numbers of a device; remembers the first that is missing.
class Needed {
public:
  explicit Needed(const DeviceModel &Device) : Device(Device) {}

  double operator()(Quantity Q) { return take(Device.get(Q)); }
  double operator()(InstClass Class, TimingField Field) {
    return take(Device.get(Class, Field));
  }
  Error error() const {
    return Missing.empty() ? Error::success() : createStringError(Missing);
  }

private:
  double take(const Known<double> &Value) {
    if (!Value && Missing.empty())
      Missing = Value.reason();
    return Value.valueOr(1);
  }

  const DeviceModel &Device;
  std::string Missing;
};

} // namespace

Expected<AlphaMix> gpuocc::alphaMix(const MixSpec &Mix,
                                    const DeviceModel &Device) {
  constexpr TimingField Latency = TimingField::LatencyCycles;
  constexpr TimingField Throughput = TimingField::ThroughputPerCycleSm;
  Needed Get(Device);
  AlphaMix M;
  M.Alpha = Mix.Alpha;
  M.AluLatencyCycles = Get(InstClass::FAdd, Latency);
  M.AluPerCycle = Get(InstClass::FAdd, Throughput);
  M.IssuePerCycle = Get(Quantity::SchedulersPerSm);
  switch (Mix.Kind) {
  case MixKind::DramLoad:
    M.MemLatencyCycles = Get(Quantity::DramLatency);
    M.MemPerCycle = Get(Quantity::DramReadBytesPerCycle) / 128;
    break;
  case MixKind::RandomLoad:
    // Of the 32 sectors, 8 would come with the first ones.
    M.MemLatencyCycles = Get(Quantity::DramLatency) +
                         24 * Device.get(Quantity::SectorIncrement).valueOr(0);
    M.MemPerCycle = Get(Quantity::DramRandomSectorsPerCycle) / 32;
    break;
  case MixKind::Mufu:
    M.MemLatencyCycles = Get(InstClass::MufuRsq, Latency);
    M.MemPerCycle = Get(InstClass::MufuRsq, Throughput);
    break;
  case MixKind::Shared:
    M.MemLatencyCycles = Get(Quantity::SharedLatency);
    M.MemPerCycle = 1 / Get(Quantity::SharedWavefront);
    break;
  case MixKind::SharedTwoWay:
    M.MemLatencyCycles =
        Get(Quantity::SharedLatency) + Get(Quantity::SharedConflictIncrement);
    M.MemPerCycle = 0.5 / Get(Quantity::SharedWavefront);
    break;
  }
  // The address passes through one logic instruction.
  if (isLoad(Mix.Kind) && Mix.Frame == MixFrame::Measured)
    M.MemLatencyCycles += Get(InstClass::Lop3, Latency);
  if (Error E = Get.error())
    return std::move(E);
  return M;
}
