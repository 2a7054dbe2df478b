//===- RatesText.cpp - Rates in words -------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RatesText.h"
#include "gpuocc/Report/Format.h"

using namespace gpuocc;
using namespace llvm;

std::string gpuocc::gigaText(double Giga, StringRef Unit) {
  struct Prefix {
    double Giga;
    StringLiteral Text;
  };
  static constexpr Prefix Prefixes[] = {{1e3, "T"}, {1, "G"}, {1e-3, "M"}};
  for (const Prefix &P : Prefixes)
    if (Giga >= P.Giga)
      return formatNumber(Giga / P.Giga) + " " + P.Text.str() + Unit.str();
  return formatNumber(Giga * 1e9) + " " + Unit.str();
}

std::string gpuocc::shareText(const Rate &R) {
  const Known<double> Share = R.share();
  return Share ? " (" + formatPercent(*Share) + ")" : "";
}

StringRef gpuocc::flopUnit(FlopKind K) {
  return K == FlopKind::TensorInt8 ? "OP/s" : "FLOP/s";
}

std::string gpuocc::ratesText(const Rates &R) {
  struct Level {
    StringLiteral Name;
    const Rate &Of;
  };
  const Level Levels[] = {{"DRAM", R.DramGBs},
                          {"L2", R.L2GBs},
                          {"L1", R.L1GBs},
                          {"shared", R.SharedGBs}};
  std::string Text;
  for (const Level &L : Levels)
    if (L.Of.Value > 0)
      Text += L.Name.str() + " " + gigaText(L.Of.Value, "B/s") +
              shareText(L.Of) + ", ";
  Text += "IPC " + formatNumber(R.Ipc.Value) + shareText(R.Ipc);
  for (const FlopRate &F : R.Flops)
    Text += ", " + flopKindText(F.Kind).str() + " " +
            gigaText(F.GigaPerSecond.Value, flopUnit(F.Kind)) +
            shareText(F.GigaPerSecond);
  return Text + (R.OfWholeLaunch ? "" : "; of SMs that are always full");
}

std::string gpuocc::inFlightText(const Rates &R) {
  if (R.InFlight.empty())
    return "";
  constexpr double BytesPerKB = 1e3;
  const LoadsInFlight &F = R.InFlight.front();
  auto Amount = [&](double Loads, double Bytes) {
    return formatCount(Loads, "load") + " (" +
           formatNumber(Bytes / BytesPerKB) + " kB)";
  };
  std::string Text = Amount(F.LoadsPerSm, F.BytesPerSm) +
                     " per SM can wait for " + resourceKey(F.Level).upper() +
                     " at a time";
  if (F.NeededLoadsPerSm && F.NeededBytesPerSm)
    Text += "; " + Amount(*F.NeededLoadsPerSm, *F.NeededBytesPerSm) +
            " keep it busy (latency x throughput)";
  return Text;
}
