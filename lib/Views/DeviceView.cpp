//===- DeviceView.cpp - Device databases for a reader ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/DeviceView.h"
#include "gpuocc/Device/DeviceNumbers.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/InstClasses.h"
#include "gpuocc/Support/Printable.h"
#include "gpuocc/Views/WriteRoofline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

static std::string shortNumber(double Value) {
  std::string Text;
  raw_string_ostream(Text) << format("%.6g", Value);
  return Text;
}

/// "measured, 25 repeats, +-0.2 %, unstable" or "vendor".
static std::string provenance(const Number &N) {
  std::string Text = numberOriginKey(N.Origin).str();
  if (N.Origin == NumberOrigin::Measured) {
    Text += ", " + std::to_string(N.Samples) + " repeats, +-" +
            shortNumber(N.Spread * 100) + " %";
    if (!N.Date.empty())
      Text += ", " + N.Date;
  }
  if (!N.Stable)
    Text += ", unstable";
  return Text;
}

static std::vector<StringRef> missingQuantities(const DeviceModel &Device) {
  std::vector<StringRef> Missing;
  for (const auto &[Index, Info] : enumerate(quantityTable()))
    if (!Device.find(Quantity(Index)))
      Missing.push_back(Info.Key);
  return Missing;
}

static std::vector<StringRef> missingClasses(const DeviceModel &Device) {
  std::vector<StringRef> Missing;
  // No device has times of the unknown class.
  for (unsigned I = unsigned(InstClass::Unknown) + 1; I != NumInstClasses; ++I)
    if (!Device.timing(InstClass(I)))
      Missing.push_back(instClassKey(InstClass(I)));
  return Missing;
}

static void writeMissing(StringRef What, ArrayRef<StringRef> Keys,
                         raw_ostream &OS) {
  if (!Keys.empty())
    OS << "\nnot known, " << What << " (" << Keys.size()
       << "): " << join(Keys, ", ") << '\n';
}

void gpuocc::writeDeviceText(const DeviceModel &Device, raw_ostream &OS) {
  OS << printable(Device.Name) << ": " << printable(Device.DisplayName) << ", "
     << printable(Device.Architecture) << ", " << deviceBasis(Device) << '\n';
  for (const auto &[Key, Text] : Device.Record)
    OS << "  " << printable(Key) << ": " << printable(Text) << '\n';
  OS << '\n';
  for (const PlacedNumber &P : allNumbers(Device))
    OS << formatv("{0,-52} {1,12} {2,-18} {3}: {4}\n", printable(P.Place),
                  shortNumber(P.N->Value), P.N->Unit,
                  printable(provenance(*P.N)), printable(P.N->Source));
  for (const auto &[Name, Table] : Device.Tables)
    OS << formatv("{0,-52} {1,12} {2,-18} {3}\n", printable("tables." + Name),
                  Table.Rows.size(), "rows", printable(Table.Source));
  writeDeviceRoofline(Device, OS);
  writeMissing("quantities", missingQuantities(Device), OS);
  writeMissing("instruction classes", missingClasses(Device), OS);
}

static std::string side(const Number *N) {
  return N ? shortNumber(N->Value) : "-";
}

static std::string ratioText(const NumberDifference &D) {
  std::optional<double> Ratio = D.ratio();
  return Ratio ? std::string(formatv("{0:F3}x", *Ratio)) : "";
}

void gpuocc::writeDeviceComparison(const DeviceModel &First,
                                   const DeviceModel &Second, raw_ostream &OS) {
  auto Line = [&](StringRef Place, StringRef A, StringRef B, StringRef Ratio,
                  StringRef Unit) {
    std::string Text =
        formatv("{0,-52} {1,14} {2,14} {3,9}  {4}", Place, A, B, Ratio, Unit);
    OS << printable(StringRef(Text).rtrim()) << '\n';
  };
  std::vector<NumberDifference> Found = differences(First, Second);
  size_t InBoth = 0, OnlyFirst = 0, OnlySecond = 0;
  Line("", First.Name, Second.Name, "", "");
  for (const NumberDifference &D : Found) {
    const Number &Any = D.First ? *D.First : *D.Second;
    Line(D.Place, side(D.First), side(D.Second), ratioText(D), Any.Unit);
    InBoth += D.First && D.Second;
    OnlyFirst += !D.Second;
    OnlySecond += !D.First;
  }
  size_t Shared = allNumbers(First).size() - OnlyFirst;
  OS << '\n'
     << formatCount(double(Shared), "number") << " in both, " << Shared - InBoth
     << " equal, " << InBoth << " different; " << OnlyFirst << " only in "
     << printable(First.Name) << ", " << OnlySecond << " only in "
     << printable(Second.Name) << '\n';
}

void gpuocc::writeDerivation(const DeviceModel &Known,
                             const DeviceModel &Relative,
                             ArrayRef<DerivedNumber> Numbers, raw_ostream &OS) {
  auto Line = [&](StringRef Place, StringRef Is, StringRef Derived,
                  StringRef Ratio, StringRef Origin) {
    std::string Text = formatv("{0,-52} {1,12} {2,12} {3,9}  {4}", Place, Is,
                               Derived, Ratio, Origin);
    OS << StringRef(Text).rtrim() << '\n';
  };
  Line(Known.Name + " from " + Relative.Name, "known", "derived", "", "");
  size_t Near = 0;
  for (const DerivedNumber &N : Numbers) {
    Line(N.Place, shortNumber(N.Known.Value), shortNumber(N.Derived.Value),
         formatv("{0:F3}x", N.ratio()).str(), N.Known.Unit);
    Near += N.ratio() > 1 / 1.1 && N.ratio() < 1.1;
  }
  DerivationSpread S = spreadOf(Numbers);
  OS << '\n'
     << formatv("{0} numbers, {1} within 1.1x; {2:F2}x in the geometric mean, "
                "80 % within {3:F2}x, all within {4:F2}x\n",
                Numbers.size(), Near, S.Typical, S.P80, S.Worst);
}
