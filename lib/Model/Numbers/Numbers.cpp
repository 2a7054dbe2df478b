//===- Numbers.cpp - Device numbers, borrowed where missing ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Numbers/Numbers.h"
#include "Numbers/PairLatencies.h"
#include "Numbers/SwitchedNumbers.h"
#include "gpuocc/Device/FallbackNumber.h"
#include "gpuocc/Model/RandomTime.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include <cassert>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

double gpuocc::wholeCycles(double Measured) {
  double Whole = std::round(Measured);
  return std::abs(Measured - Whole) <= 0.05 * Whole ? Whole : Measured;
}

static std::unique_ptr<const DeviceModel> switched(const DeviceModel &Device,
                                                   const Mechanisms &Used) {
  return Used.hasAll()
             ? nullptr
             : std::make_unique<const DeviceModel>(withNumbersOf(Device, Used));
}

DeviceNumbers::DeviceNumbers(const DeviceModel &Device, const Mechanisms &Used,
                             double BorrowedFactor)
    : Used(Used), BorrowedFactor(BorrowedFactor),
      Switched(switched(Device, Used)), Whole(Device),
      Flat(Switched ? *Switched : Device) {}

DeviceNumbers::~DeviceNumbers() = default;

Numbers::Numbers(const DeviceModel &Device)
    : Own(std::make_unique<DeviceNumbers>(Device)), Shared(*Own) {}

Numbers::~Numbers() = default;

double Numbers::get(Quantity Q) {
  if (std::optional<double> Value = device().get(Q))
    return *Value;
  const FallbackNumber *Fallback = fallbackNumber(Q);
  assert(Fallback && "a quantity that predictions need has no fallback");
  return get(Q, Fallback->Value, Fallback->Origin);
}

/// By what slows a number of \p Unit down by \p Factor: nothing where it is
/// neither a time nor a rate.
static std::optional<double> slowing(StringRef Unit, double Factor) {
  if (Unit.starts_with("cycle") || Unit == "ns")
    return Factor;
  if (Unit.contains("/cycle") || Unit == "GB/s" || Unit == "MHz")
    return 1 / Factor;
  return std::nullopt;
}

/// What a mechanism took away is not missing.
bool Numbers::isMissing(Quantity Q) const {
  return !device().get(Q) && !Shared.Whole.find(Q);
}

double Numbers::get(Quantity Q, double Otherwise, StringRef Whence) {
  if (!isMissing(Q))
    return device().get(Q).value_or(Otherwise);
  const std::optional<double> Slower =
      slowing(quantityInfo(Q).Unit, Shared.BorrowedFactor);
  Borrowed.insert(borrowedNumber(quantityInfo(Q).Key, Whence));
  HasUnscaled |= !Slower;
  return Slower ? Otherwise * *Slower : Otherwise;
}

std::optional<double> Numbers::find(Quantity Q, StringRef Whence) {
  if (isMissing(Q))
    borrow(quantityInfo(Q).Key, Whence);
  return device().get(Q);
}

/// Where a class has not been measured: the class of the same pipe that lends
/// its numbers.
static InstClass relative(Resource Pipe) {
  switch (Pipe) {
  case Resource::Fma:
    return InstClass::FFma;
  case Resource::Fp16:
    return InstClass::HFma2;
  case Resource::Fp64:
    return InstClass::DFma;
  case Resource::Xu:
    return InstClass::MufuRcp;
  case Resource::Tensor:
    return InstClass::MmaF16K16;
  case Resource::Lsu:
    return InstClass::LdShared;
  case Resource::Adu:
    return InstClass::S2R;
  case Resource::Cbu:
    return InstClass::Branch;
  default:
    return InstClass::IAdd3;
  }
}

/// The latency that the instructions of \p Pipe share: the median of those that
/// were measured, if three of four of at least four are within 2 % of it.
std::optional<double> Numbers::pipeDepth(Resource Pipe) {
  SmallVector<double, 32> Measured;
  for (unsigned Class = 0; Class != NumInstClasses; ++Class)
    if (pipe(InstClass(Class)) == Pipe)
      if (std::optional<double> Cycles =
              device().get(InstClass(Class), TimingField::LatencyCycles))
        Measured.push_back(*Cycles);
  if (Measured.size() < 4)
    return std::nullopt;
  llvm::sort(Measured);
  const double Median = Measured[Measured.size() / 2];
  const size_t Alike = llvm::count_if(Measured, [&](double Cycles) {
    return std::abs(Cycles - Median) <= 0.02 * Median;
  });
  return 4 * Alike >= 3 * Measured.size() ? std::optional(Median)
                                          : std::nullopt;
}

double Numbers::classNumber(InstClass Class, TimingField Field) {
  if (std::optional<double> Own = device().get(Class, Field))
    return *Own;
  // The compiler sees through chains of moves, so that none can be measured,
  // and they do nothing that takes more stages than others.
  if (Field == TimingField::LatencyCycles && Class == InstClass::Mov)
    if (std::optional<double> Depth = pipeDepth(pipe(Class)))
      return *Depth;
  InstClass Lender = relative(pipe(Class));
  std::optional<double> Lent = device().get(Lender, Field);
  const FallbackNumber *Fallback = fallbackNumber(Field);
  assert(Fallback && "a timing that predictions need has no fallback");
  Borrowed.insert(borrowedNumber(
      (Twine(instClassKey(Class)) + "." + timingFieldKey(Field)).str(),
      Lent ? instClassKey(Lender) : StringRef(Fallback->Origin)));
  const double Slower = Field == TimingField::ThroughputPerCycleSm
                            ? 1 / Shared.BorrowedFactor
                            : Shared.BorrowedFactor;
  return Lent.value_or(Fallback->Value) * Slower;
}

/// \p Slot, filled by \p Find when it is asked for first.
template <typename Function>
static double remembered(std::optional<double> &Slot, Function Find) {
  if (!Slot)
    Slot = Find();
  return *Slot;
}

double Numbers::latency(InstClass Class) {
  return remembered(Asked[size_t(Class)].Latency, [&] {
    return classNumber(Class, TimingField::LatencyCycles);
  });
}

const PairLatencies &Numbers::pairLatencies() {
  if (!Shared.Pairs) {
    Numbers Asking(Shared);
    Shared.Pairs = std::make_unique<const PairLatencies>(Asking);
  }
  return *Shared.Pairs;
}

double Numbers::pipeCycles(InstClass Class) {
  return remembered(Asked[size_t(Class)].PipeCycles, [&] {
    return 1 / classNumber(Class, TimingField::ThroughputPerCycleSm);
  });
}

double Numbers::storeCycles(double Sectors) {
  // Measured with 4 bytes a lane, whole lines.
  constexpr double SectorsOfMeasured = 4;
  return std::max(1.0, Sectors / SectorsOfMeasured) *
         pipeCycles(InstClass::StGlobal);
}

double Numbers::expectedGreatest(double Count) {
  auto [Known, IsNew] = Shared.Greatest.try_emplace(Count);
  if (IsNew)
    Known->second = gpuocc::expectedGreatest(Count);
  return Known->second;
}

double Numbers::issueInterval(InstClass Class) {
  return remembered(Asked[size_t(Class)].IssueInterval, [&] {
    if (std::optional<double> Own =
            device().get(Class, TimingField::IssueCycles))
      return *Own;
    // One warp has one scheduler's share of the pipe to itself.
    return std::max(1.0, pipeCycles(Class) * schedulers());
  });
}

double Numbers::aluCycles(InstClass Class) {
  return remembered(Asked[size_t(Class)].AluCycles, [&] {
    return has(Mechanism::WideProducts)
               ? device().get(Class, TimingField::AluCycles)
                         .value_or(defaultNumber(TimingField::AluCycles)) /
                     schedulers()
               : 0.0;
  });
}

double Numbers::issueSlots(InstClass Class) {
  return remembered(Asked[size_t(Class)].IssueSlots, [&] {
    if (!has(Mechanism::ProductDispatch) &&
        defaultPipe(Class) == Resource::Tensor)
      return defaultNumber(TimingField::IssueSlots);
    return device()
        .get(Class, TimingField::IssueSlots)
        .value_or(defaultNumber(TimingField::IssueSlots));
  });
}
