//===- DeriveDevice.cpp - A device from a measured relative ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Device/DeriveDevice.h"
#include "UnitGroups.h"
#include "gpuocc/Device/ArchLimits.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace gpuocc;
using namespace llvm;

static constexpr Quantity DataSheet[] = {
    Quantity::SmCount,    Quantity::SchedulersPerSm,
    Quantity::SmClockMhz, Quantity::MemoryBandwidthPeak,
    Quantity::L2Bytes,    Quantity::L2Partitions,
    Quantity::DramBytes,  Quantity::L1SharedBytesPerSm,
};

ArrayRef<Quantity> gpuocc::numbersOfDataSheet() { return DataSheet; }

DerivationRule gpuocc::derivationRule(Quantity Q) {
  static constexpr auto Rules = [] {
    std::array<DerivationRule, NumQuantities> All{};
#define QUANTITY_RULE(Enum, Rule)                                              \
  All[size_t(Quantity::Enum)] = DerivationRule::Rule;
#include "DerivationRules.def"
    return All;
  }();
  return Rules[size_t(Q)];
}

StringRef gpuocc::derivationText(DerivationRule Rule) {
  switch (Rule) {
  case DerivationRule::Own:
    return "not derived";
  case DerivationRule::Kept:
    return "the same";
  case DerivationRule::L1Size:
    return "in proportion to L1 and shared memory of an SM";
  case DerivationRule::L1Time:
    return "inverse to l1_bytes_per_cycle_sm";
  case DerivationRule::L2Time:
    return "in proportion to the latency of L2";
  case DerivationRule::L2Rate:
    return "in proportion to the throughput of L2";
  case DerivationRule::DramTime:
    return "in proportion to the latency of DRAM";
  case DerivationRule::DramRate:
    return "in proportion to the bandwidth of DRAM per SM and cycle";
  case DerivationRule::ClockTime:
    return "the same time at another clock";
  }
  llvm_unreachable("covered switch");
}

/// What only architectures with clusters of blocks have, or are known to have.
static constexpr Quantity ClusterQuantities[] = {
    Quantity::DsmLatency,
    Quantity::DsmBytesPerCycle,
    Quantity::DsmLoadLane,
    Quantity::DsmLoadLine,
    Quantity::DsmStoreLane,
    Quantity::DsmReductionLane,
    Quantity::DsmAtomicLane,
    Quantity::DsmAtomicLatency,
    Quantity::BulkCopyL2Latency,
    Quantity::BulkCopyDramLatency,
    Quantity::BulkCopyDramBytesPerCycle,
    Quantity::L2BulkReductionBytesPerCycle,
    Quantity::TensorCopyL2Latency,
    Quantity::TensorCopyDramLatency,
    Quantity::TensorCopyL2BytesPerCycle,
    Quantity::TensorCopyDramBytesPerCycle,
    Quantity::MulticastL2BytesPerCycle,
    Quantity::ClusterBarrier,
    Quantity::SmClockTensorMhz,
};

namespace {

/// Loads and atomics, whose latency is that of what they reach.
struct LatencyOfRow {
  InstClass Class;
  Quantity Latency;
};
constexpr LatencyOfRow LatencyOfRows[] = {
    {InstClass::LdGlobal, Quantity::L1HitLatency},
    {InstClass::LdGeneric, Quantity::L1HitLatency},
    {InstClass::LdLocal, Quantity::LocalLatency},
    {InstClass::LdShared, Quantity::SharedLatency},
    {InstClass::AtomShared, Quantity::AtomicSharedLatency},
    {InstClass::AtomGlobal, Quantity::AtomicGlobalLatency},
    {InstClass::Ldc, Quantity::ConstantL1Latency},
    {InstClass::Tex, Quantity::TextureLatency},
};

class Derivation {
public:
  Derivation(DeviceModel &Own, const DeviceModel &Relative,
             const ArchLimits &OwnArch, const ArchLimits &RelativeArch)
      : Own(Own), Relative(Relative), OwnArch(OwnArch),
        RelativeArch(RelativeArch) {}

  void run();

private:
  double ratio(Quantity Q) const {
    return Own.find(Q)->Value / Relative.find(Q)->Value;
  }
  bool bothHave(Quantity Q) const { return Own.find(Q) && Relative.find(Q); }
  double clockRatio() const { return ratio(Quantity::SmClockMhz); }
  double dramRatio() const {
    return ratio(Quantity::MemoryBandwidthPeak) /
           (ratio(Quantity::SmCount) * clockRatio());
  }
  double factor(DerivationRule Rule) const;
  Number derived(const Number &From, double Value, const Twine &How) const;
  void addQuantities();
  void addQuantity(Quantity Q);
  void addSharedSize();
  void addTiming(InstClass Class, const InstTiming &From);
  void addThroughput(InstClass Class, const InstTiming &From, InstTiming &To);
  void addLatency(InstClass Class, const InstTiming &From, InstTiming &To);
  double latencyShift(InstClass Producer) const;
  void addDependences();
  void addPairs();
  void addSmGroups();
  void addFit(StringRef Level, Quantity Latency, Quantity Rate);

  DeviceModel &Own;
  const DeviceModel &Relative;
  const ArchLimits &OwnArch;
  const ArchLimits &RelativeArch;
};

} // namespace

double Derivation::factor(DerivationRule Rule) const {
  auto Led = [&](Quantity Leader, double Otherwise) {
    return bothHave(Leader) ? ratio(Leader) : Otherwise;
  };
  switch (Rule) {
  case DerivationRule::Own:
  case DerivationRule::Kept:
    return 1;
  case DerivationRule::L1Size:
    return ratio(Quantity::L1SharedBytesPerSm);
  case DerivationRule::L1Time:
    return 1 / Led(Quantity::L1BytesPerCycle, 1);
  case DerivationRule::L2Time:
    return Led(Quantity::L2HitLatency, clockRatio());
  case DerivationRule::L2Rate:
    return Led(Quantity::L2ReadBytesPerCycle, 1);
  case DerivationRule::DramTime:
    return Led(Quantity::DramLatency, clockRatio());
  case DerivationRule::DramRate:
    return Led(Quantity::DramReadBytesPerCycle, dramRatio());
  case DerivationRule::ClockTime:
    return clockRatio();
  }
  llvm_unreachable("covered switch");
}

/// \p From, another device's, as \p Value of this one.
Number Derivation::derived(const Number &From, double Value,
                           const Twine &How) const {
  Number N;
  N.Value = Value;
  N.Unit = From.Unit;
  N.Origin = NumberOrigin::Derived;
  N.Source = (Relative.Name + ", " + How).str();
  return N;
}

void Derivation::addQuantity(Quantity Q) {
  const Number *From = Relative.find(Q);
  DerivationRule Rule = derivationRule(Q);
  if (!From || Own.find(Q) || Rule == DerivationRule::Own)
    return;
  if (is_contained(ClusterQuantities, Q) && !OwnArch.MaxClusterBlocks)
    return;
  Own.Quantities[Q] =
      derived(*From, From->Value * factor(Rule), derivationText(Rule));
}

void Derivation::addSharedSize() {
  if (Own.find(Quantity::MaxSharedBytesPerSm) || !OwnArch.SharedBytesPerSm)
    return;
  Number N;
  N.Value = *OwnArch.SharedBytesPerSm;
  N.Unit = quantityInfo(Quantity::MaxSharedBytesPerSm).Unit;
  N.Origin = NumberOrigin::Derived;
  N.Source = "limit of " + OwnArch.Name;
  Own.Quantities[Quantity::MaxSharedBytesPerSm] = N;
}

void Derivation::addQuantities() {
  addSharedSize();
  // What others are in proportion to comes first.
  for (Quantity Leader : {Quantity::L1BytesPerCycle, Quantity::L2HitLatency,
                          Quantity::L2ReadBytesPerCycle, Quantity::DramLatency,
                          Quantity::DramReadBytesPerCycle})
    addQuantity(Leader);
  for (unsigned I = 0; I != NumQuantities; ++I)
    addQuantity(Quantity(I));
}

void Derivation::addThroughput(InstClass Class, const InstTiming &From,
                               InstTiming &To) {
  UnitRatio Units = unitRatio(Class, OwnArch, RelativeArch);
  if (From.ThroughputPerCycleSm && !To.ThroughputPerCycleSm) {
    double Value = Units.PerCycleSm
                       ? *Units.PerCycleSm
                       : From.ThroughputPerCycleSm->Value * Units.Factor;
    To.ThroughputPerCycleSm =
        derived(*From.ThroughputPerCycleSm, Value, Units.How);
  }
  if (From.IssueCycles && !To.IssueCycles) {
    // Fewer units hold the pipe of a lone warp for longer; more of them than a
    // scheduler can feed do not make it faster.
    double Slower =
        From.ThroughputPerCycleSm && To.ThroughputPerCycleSm
            ? From.ThroughputPerCycleSm->Value / To.ThroughputPerCycleSm->Value
            : 1;
    double Value =
        Slower > 1 ? From.IssueCycles->Value * Slower : From.IssueCycles->Value;
    To.IssueCycles = derived(*From.IssueCycles, Value, Units.How);
  }
}

void Derivation::addLatency(InstClass Class, const InstTiming &From,
                            InstTiming &To) {
  if (!From.LatencyCycles || To.LatencyCycles)
    return;
  double Value = From.LatencyCycles->Value;
  StringRef How = "the same";
  for (const LatencyOfRow &Row : LatencyOfRows)
    if (Row.Class == Class && bothHave(Row.Latency)) {
      Value += Own.find(Row.Latency)->Value - Relative.find(Row.Latency)->Value;
      How = "as much longer as the memory it reaches";
    }
  if (To.IssueCycles && To.IssueCycles->Value > Value &&
      From.IssueCycles->Value <= Value) {
    Value = To.IssueCycles->Value;
    How = "not less than its pipe takes";
  }
  To.LatencyCycles = derived(*From.LatencyCycles, std::max(1.0, Value), How);
}

void Derivation::addTiming(InstClass Class, const InstTiming &From) {
  if (lacksClass(Class, OwnArch))
    return;
  bool IsNew = !Own.Instructions.contains(Class);
  InstTiming &To = Own.Instructions[Class];
  if (IsNew)
    To.Pipe = From.Pipe;
  addThroughput(Class, From, To);
  addLatency(Class, From, To);
  auto Keep = [&](std::optional<Number> InstTiming::*Field) {
    if (From.*Field && !(To.*Field))
      To.*Field = derived(*(From.*Field), (From.*Field)->Value,
                          derivationText(DerivationRule::Kept));
  };
  Keep(&InstTiming::IssueSlots);
  Keep(&InstTiming::AluCycles);
}

/// Cycles by which results of \p Producer come later than on the relative.
double Derivation::latencyShift(InstClass Producer) const {
  const Number *Mine = Own.find(Producer, TimingField::LatencyCycles);
  const Number *Theirs = Relative.find(Producer, TimingField::LatencyCycles);
  return Mine && Theirs ? Mine->Value - Theirs->Value : 0;
}

void Derivation::addDependences() {
  for (const auto &[D, N] : Relative.Dependences)
    if (!lacksClass(D.Producer, OwnArch) && !lacksClass(D.Consumer, OwnArch) &&
        !Own.Dependences.contains(D))
      Own.Dependences[D] =
          derived(N, std::max(1.0, N.Value + latencyShift(D.Producer)),
                  "as much longer as the producer's latency");
}

/// The table of latencies between classes, a row a producer.
void Derivation::addPairs() {
  const DeviceTable *From = Relative.table(CrossClassLatencyTable);
  if (!From || Own.table(CrossClassLatencyTable))
    return;
  DeviceTable To = *From;
  To.Date.clear();
  To.Source = Relative.Name + ", as much longer as the producer's latency";
  for (std::vector<json::Value> &Row : To.Rows) {
    std::optional<InstClass> Producer =
        Row.empty() ? std::nullopt
                    : parseInstClass(Row.front().getAsString().value_or(""));
    double Shift = Producer ? latencyShift(*Producer) : 0;
    for (json::Value &Cell : drop_begin(Row))
      if (std::optional<double> Cycles = Cell.getAsNumber(); Cycles && Shift)
        Cell = std::max(1.0, *Cycles + Shift);
  }
  Own.Tables[CrossClassLatencyTable.str()] = std::move(To);
}

/// The groups of SMs that clusters lie within, of a device with as many SMs.
void Derivation::addSmGroups() {
  const StringRef Name = "sm_groups";
  const DeviceTable *From = Relative.table(Name);
  if (!From || Own.table(Name) || !OwnArch.MaxClusterBlocks ||
      !bothHave(Quantity::SmCount) || ratio(Quantity::SmCount) != 1)
    return;
  DeviceTable To = *From;
  To.Date.clear();
  To.Source = Relative.Name + ", the same number of SMs";
  Own.Tables[Name.str()] = std::move(To);
}

void Derivation::addFit(StringRef Level, Quantity Latency, Quantity Rate) {
  const ContentionFit *From = Relative.contention(Level);
  if (!From || Own.contention(Level) || !bothHave(Latency) || !bothHave(Rate))
    return;
  ContentionFit &To = Own.Contention[Level.str()];
  StringRef Time = "in proportion to the unloaded latency";
  To.A = derived(From->A, From->A.Value * ratio(Latency), Time);
  To.B = derived(From->B, From->B.Value * ratio(Latency), Time);
  To.C = derived(From->C, From->C.Value * ratio(Rate),
                 "in proportion to the read throughput");
  if (From->Peak)
    To.Peak = derived(*From->Peak, From->Peak->Value * ratio(Rate),
                      "in proportion to the read throughput");
}

void Derivation::run() {
  addQuantities();
  if (!OwnArch.Units.empty() && !RelativeArch.Units.empty()) {
    for (const auto &[Class, Timing] : Relative.Instructions)
      addTiming(Class, Timing);
    addDependences();
    addPairs();
  }
  addSmGroups();
  addFit("dram_read", Quantity::DramLatency, Quantity::DramReadBytesPerCycle);
  addFit("l2_read", Quantity::L2HitLatency, Quantity::L2ReadBytesPerCycle);
}

/// \p Value of \p Q, which no file states, with where it is from.
static void takeOver(DeviceModel &Own, Quantity Q, double Value,
                     NumberOrigin Origin, const Twine &Source) {
  Number N;
  N.Value = Value;
  N.Unit = quantityInfo(Q).Unit;
  N.Origin = Origin;
  N.Source = Source.str();
  Own.Quantities[Q] = std::move(N);
}

/// The parts of L2: a design of SM has the L2 of its relatives, others are
/// taken to have one part.
static void assumePartitions(DeviceModel &Own, const DeviceModel &Relative) {
  const Number *Theirs = Relative.find(Quantity::L2Partitions);
  if (Theirs && Own.Architecture == Relative.Architecture)
    return takeOver(Own, Quantity::L2Partitions, Theirs->Value,
                    NumberOrigin::Derived,
                    Relative.Name + ", the same architecture");
  takeOver(Own, Quantity::L2Partitions, defaultNumber(Quantity::L2Partitions),
           NumberOrigin::Assumed,
           "all SMs share L2: no other device of " + Own.Architecture +
               " says how many parts it has");
}

/// L1 and shared memory, which no driver states: as much as the relative has
/// beside as much shared memory.
static void assumeL1(DeviceModel &Own, const DeviceModel &Relative) {
  const Number *Theirs = Relative.find(Quantity::L1SharedBytesPerSm);
  const Number *Shared = Own.find(Quantity::MaxSharedBytesPerSm);
  const Number *TheirShared = Relative.find(Quantity::MaxSharedBytesPerSm);
  const bool Alike =
      Own.Architecture == Relative.Architecture ||
      (Shared && TheirShared && Shared->Value == TheirShared->Value);
  if (Theirs && Alike)
    takeOver(Own, Quantity::L1SharedBytesPerSm, Theirs->Value,
             NumberOrigin::Derived,
             Relative.Name + ", with as much shared memory");
}

/// DRAM bandwidth of the pins where a driver states no memory clock: as far
/// above what reads reach as on the relative.
static void assumePeak(DeviceModel &Own, const DeviceModel &Relative) {
  auto BytesPerNs = [](const DeviceModel &D) {
    double Rate = 1;
    for (Quantity Q : {Quantity::DramReadBytesPerCycle, Quantity::SmCount,
                       Quantity::SmClockMhz})
      Rate *= D.get(Q).valueOr(0);
    return Rate / 1e3;
  };
  const Number *Theirs = Relative.find(Quantity::MemoryBandwidthPeak);
  const double Mine = BytesPerNs(Own), Other = BytesPerNs(Relative);
  if (Theirs && Mine > 0 && Other > 0)
    takeOver(Own, Quantity::MemoryBandwidthPeak, Theirs->Value * Mine / Other,
             NumberOrigin::Derived,
             Relative.Name + ", in proportion to the DRAM read throughput");
}

/// What a calibration cannot always find of the numbers of a data sheet.
static void completeDataSheet(DeviceModel &Own, const DeviceModel &Relative) {
  if (!Own.find(Quantity::L2Partitions))
    assumePartitions(Own, Relative);
  if (!Own.find(Quantity::L1SharedBytesPerSm))
    assumeL1(Own, Relative);
  if (!Own.find(Quantity::MemoryBandwidthPeak))
    assumePeak(Own, Relative);
}

static Error checkDataSheet(const DeviceModel &Device) {
  for (Quantity Q : DataSheet)
    if (Known<double> Value = Device.get(Q); !Value || !(*Value > 0))
      return createStringError("device '" + Device.Name +
                               "' cannot be derived: it needs a " +
                               quantityInfo(Q).Key + " above 0");
  return Error::success();
}

Expected<DeviceModel> gpuocc::deriveDevice(DeviceModel Own,
                                           const DeviceModel &Relative) {
  completeDataSheet(Own, Relative);
  for (const DeviceModel *Device : {&std::as_const(Own), &Relative})
    if (Error E = checkDataSheet(*Device))
      return std::move(E);
  Expected<const ArchLimits &> OwnArch = archLimits(Own.Architecture);
  if (!OwnArch)
    return OwnArch.takeError();
  Expected<const ArchLimits &> RelativeArch = archLimits(Relative.Architecture);
  if (!RelativeArch)
    return RelativeArch.takeError();
  // A calibrated device states its classes; of others the units say how fast
  // they are.
  const bool NeedsUnits = !isMeasured(Own);
  for (const ArchLimits *Arch : {&*OwnArch, &*RelativeArch})
    if (Arch->Units.empty() && NeedsUnits)
      return createStringError(
          "device '" + Own.Name + "' cannot be derived from '" + Relative.Name +
          "': the units of an SM of " + Arch->Name + " are not known");
  Own.Relative = Relative.Name;
  Derivation(Own, Relative, *OwnArch, *RelativeArch).run();
  return Own;
}

DeviceModel gpuocc::dataSheetOf(const DeviceModel &Device) {
  DeviceModel Sheet;
  Sheet.Name = Device.Name;
  Sheet.DisplayName = Device.DisplayName;
  Sheet.Architecture = Device.Architecture;
  for (Quantity Q : DataSheet)
    if (const Number *N = Device.find(Q))
      Sheet.Quantities[Q] = *N;
  return Sheet;
}
