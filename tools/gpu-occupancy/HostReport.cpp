//===- HostReport.cpp - Kernels and what is beside them -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostReport.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

namespace {

/// The rate of a kind of copy.
struct CopyRow {
  HostCounter What;
  Quantity GigaBytesPerSecond;
  Quantity NsEach; ///< A copy of 4 bytes.
};

/// The time of a kind of call.
struct CallRow {
  HostCounter What;
  Quantity NsEach;
};

} // namespace

static constexpr CopyRow CopyRows[] = {
    {HostCounter::ToDevicePageable, Quantity::HostToDevicePageable,
     Quantity::HostToDeviceCall},
    {HostCounter::ToDevicePinned, Quantity::HostToDevicePinned,
     Quantity::HostToDeviceCall},
    {HostCounter::ToHostPageable, Quantity::DeviceToHostPageable,
     Quantity::DeviceToHostCall},
    {HostCounter::ToHostPinned, Quantity::DeviceToHostPinned,
     Quantity::DeviceToHostCall},
};

static constexpr CallRow CallRows[] = {
    {HostCounter::LaunchAlone, Quantity::LaunchAndWait},
    {HostCounter::LaunchQueued, Quantity::LaunchGap},
};

static HostTime countedAs(HostCounter C, const HostActivity &Activity) {
  HostTime Out;
  Out.What = hostCounterText(C).str();
  Out.Times = Activity[C].Times;
  Out.Bytes = Activity[C].Bytes;
  return Out;
}

/// A copy on the device reads and writes DRAM.
static HostTime copiesOnDevice(const HostActivity &Activity,
                               const DeviceModel &Device) {
  HostTime Out = countedAs(HostCounter::OnDevice, Activity);
  const Known<double> PerCycle = Device.get(Quantity::DramCopyBytesPerCycle),
                      Sms = Device.get(Quantity::SmCount),
                      Clock = Device.get(Quantity::SmClockMhz);
  for (const Known<double> *Needed : {&PerCycle, &Sms, &Clock})
    if (!*Needed) {
      Out.Ns = *Needed;
      return Out;
    }
  const double PerNs = *PerCycle * *Sms * *Clock / 1000 / 2;
  Out.Ns = double(Out.Bytes) / PerNs;
  Out.Basis = formatNumber(PerNs) + " GB/s";
  return Out;
}

std::vector<HostTime> gpuocc::hostTimes(const HostActivity &Activity,
                                        const DeviceModel &Device) {
  std::vector<HostTime> Out;
  for (const CopyRow &Row : CopyRows) {
    if (Activity[Row.What].Times == 0)
      continue;
    HostTime &T = Out.emplace_back(countedAs(Row.What, Activity));
    // A GB/s is a byte a nanosecond.
    T.Ns = Device.get(Row.GigaBytesPerSecond);
    if (!T.Ns)
      continue;
    T.Basis = formatNumber(*T.Ns) + " GB/s";
    T.Ns = double(T.Bytes) / *T.Ns;
    if (Known<double> Each = Device.get(Row.NsEach)) {
      T.Ns = *T.Ns + double(T.Times) * *Each;
      T.Basis += " and " + formatTime(*Each) + " each";
    }
  }
  if (Activity[HostCounter::OnDevice].Times != 0)
    Out.push_back(copiesOnDevice(Activity, Device));
  for (const CallRow &Row : CallRows) {
    if (Activity[Row.What].Times == 0)
      continue;
    HostTime &T = Out.emplace_back(countedAs(Row.What, Activity));
    T.Ns = Device.get(Row.NsEach);
    if (!T.Ns)
      continue;
    T.Basis = formatTime(*T.Ns) + " each";
    T.Ns = double(T.Times) * *T.Ns;
  }
  return Out;
}

Known<double> gpuocc::copyNs(HostCounter Copy, uint64_t Bytes,
                             const DeviceModel &Device) {
  HostActivity One;
  One.Counts[unsigned(Copy)] = {1, Bytes};
  return hostTimes(One, Device).front().Ns;
}

static bool isOf(const KernelReport &K, const RecordedLaunch &L) {
  return K.Facts.Name == L.Kernel && K.Launched.Grid &&
         K.Launched.Grid->Value == L.Grid &&
         K.Launched.Block.Value == L.Block &&
         K.Launched.DynamicSharedBytes.Value == L.DynamicSharedBytes;
}

HostTime gpuocc::kernelTime(const HostRecord &Record, const Report &Predicted) {
  HostTime Out;
  Out.What = "kernels";
  double Sum = 0;
  std::string Missing;
  for (const auto &[Index, L] : enumerate(Record.Launches)) {
    const uint64_t Times = Index < Record.Activity.Launches.size()
                               ? Record.Activity.Launches[Index]
                               : 0;
    double Ns = 0;
    unsigned Alike = 0;
    for (const KernelReport &K : Predicted.Kernels)
      if (isOf(K, L) && K.Predicted.Time) {
        Ns += K.Predicted.Time->Ns;
        ++Alike;
      }
    Out.Times += Times;
    if (Alike != 0)
      Sum += double(Times) * Ns / Alike;
    else
      Missing = "no time is predicted for " + L.Kernel;
  }
  Out.Basis = "predicted, of " +
              formatCount(double(Record.Launches.size()), "recorded call");
  if (Missing.empty())
    Out.Ns = Sum;
  else
    Out.Ns = Known<double>::unknown(Missing);
  return Out;
}

static std::string megabytes(uint64_t Bytes) {
  constexpr double Mega = 1e6;
  return Bytes ? formatNumber(double(Bytes) / Mega) + " MB" : "";
}

static void writeLine(const HostTime &T, raw_ostream &OS) {
  OS << formatv("  {0,-32} {1,8} {2,12} {3,10}  {4}\n", T.What, T.Times,
                megabytes(T.Bytes), T.Ns ? formatTime(*T.Ns) : "-",
                T.Ns ? T.Basis : T.Ns.reason());
}

const HostTime &HostReport::largest() const {
  const HostTime *Most = &Kernels;
  for (const HostTime &T : Others)
    if (T.Ns.valueOr(0) > Most->Ns.valueOr(0))
      Most = &T;
  return *Most;
}

Known<double> HostReport::kernelFraction() const {
  if (!Kernels.Ns)
    return Kernels.Ns;
  double Sum = *Kernels.Ns;
  for (const HostTime &T : Others)
    Sum += T.Ns.valueOr(0);
  if (Sum == 0)
    return Known<double>::unknown("no part takes time");
  return *Kernels.Ns / Sum;
}

void gpuocc::writeHostText(const HostReport &R, raw_ostream &OS) {
  OS << formatv("host and kernels on {0}\n", R.Device)
     << formatv("  {0,-32} {1,8} {2,12} {3,10}\n", "what", "times", "bytes",
                "time");
  writeLine(R.Kernels, OS);
  for (const HostTime &T : R.Others)
    writeLine(T, OS);
  if (Known<double> Fraction = R.kernelFraction())
    OS << formatv("kernels are {0} of that; most is {1}\n",
                  formatPercent(*Fraction), R.largest().What);
  if (R.CompileNs)
    OS << formatv("once more {0} where the driver has to compile the kernels "
                  "from PTX\n",
                  formatTime(*R.CompileNs));
}

json::Value gpuocc::numberOrNull(const Known<double> &Value) {
  return Value ? json::Value(*Value) : nullptr;
}

static json::Object partJSON(const HostTime &T) {
  json::Object Part{{"what", T.What},
                    {"times", T.Times},
                    {"bytes", T.Bytes},
                    {"ns", numberOrNull(T.Ns)}};
  if (T.Ns)
    Part["basis"] = T.Basis;
  else
    Part["reason"] = T.Ns.reason();
  return Part;
}

void gpuocc::writeHostJSON(const HostReport &R, raw_ostream &OS) {
  json::Array Parts{partJSON(R.Kernels)};
  for (const HostTime &T : R.Others)
    Parts.push_back(partJSON(T));
  OS << formatv("{0:2}\n",
                json::Value(json::Object{
                    {"device", R.Device},
                    {"parts", std::move(Parts)},
                    {"largest", R.largest().What},
                    {"kernel_fraction", numberOrNull(R.kernelFraction())},
                    {"compile_ns", numberOrNull(R.CompileNs)}}));
}
