//===- Tools.cpp - Small helpers of the plans -----------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tools.h"
#include "kernels/Memory.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <random>

using namespace llvm;

namespace gpuocc::calibration {

uint64_t partOfL2(const Session &S) {
  return std::min(16 * MiB, uint64_t(1) << Log2_64(std::max<uint64_t>(
                                MiB, S.G.facts().L2Bytes / 2)));
}

std::string megabytes(uint64_t Bytes) {
  if (Bytes < MiB)
    return formatv("{0} KiB", Bytes / KiB);
  return Bytes % MiB == 0 ? formatv("{0} MiB", Bytes / MiB).str()
                          : formatv("{0:f1} MiB", double(Bytes) / MiB).str();
}

std::vector<double> perUnit(std::vector<double> Samples, double Divisor) {
  for (double &X : Samples)
    X /= Divisor;
  return Samples;
}

std::vector<double> rates(std::vector<double> Samples, double Work) {
  for (double &X : Samples)
    X = Work / X;
  return Samples;
}

Error measureThroughput(Session &S, StringRef Key, const Launch &L,
                        double Instructions, std::string Source,
                        double TargetCycles) {
  Expected<std::vector<double>> Samples =
      S.perIteration(L, S.repeats(), Clock::Sm, TargetCycles);
  if (!Samples)
    return Samples.takeError();
  S.Db.setInstruction(Key, "throughput_per_cycle_sm",
                      measured(summarize(rates(*Samples, Instructions)),
                               Take::Mean, "warp_inst/cycle/SM",
                               std::move(Source)));
  return Error::success();
}

std::vector<uint64_t> randomPlaces(uint64_t Bytes, uint64_t Step,
                                   size_t Count) {
  uint64_t Slots = Bytes / Step;
  std::mt19937_64 Random(20161);
  std::vector<uint64_t> Places;
  if (Count * 2 >= Slots) {
    for (uint64_t I = 0; I < Slots; ++I)
      Places.push_back(I * Step);
    // Fisher and Yates.
    for (size_t I = Places.size(); I > 1; --I)
      std::swap(Places[I - 1], Places[Random() % I]);
    Places.resize(std::min<size_t>(Count, Places.size()));
    return Places;
  }
  DenseSet<uint64_t> Taken;
  while (Places.size() < Count) {
    uint64_t Slot = Random() % Slots;
    if (Taken.insert(Slot).second)
      Places.push_back(Slot * Step);
  }
  return Places;
}

Expected<CuDevicePtr> buildRing(Session &S, CuDevicePtr Base,
                                std::vector<uint64_t> Places,
                                unsigned Sectors) {
  size_t Length = Places.size(), N = Length * Sectors;
  std::vector<uint64_t> Pairs(N * 2);
  // The places are in random order already, so their sequence is one cycle
  // (what Sattolo's shuffle makes of an ordered array).
  for (size_t I = 0; I < N; ++I) {
    CuDevicePtr Ring = Base + I % Sectors * 32;
    Pairs[2 * I] = Ring + Places[I / Sectors];
    Pairs[2 * I + 1] = Ring + Places[(I / Sectors + 1) % Length];
  }
  Expected<DeviceBuffer> Buffer = S.G.allocate(N * 16);
  if (!Buffer)
    return Buffer.takeError();
  if (Error E = S.G.upload(Buffer->address(), Pairs.data(), N * 16))
    return std::move(E);
  Expected<CuFunction> Scatter = S.scatter();
  if (!Scatter)
    return Scatter.takeError();
  Launch L;
  L.Function = *Scatter;
  L.Threads = 256;
  L.Blocks = (N + 255) / 256;
  L.X = Buffer->address();
  L.Y = N;
  if (Error E = S.G.start(L))
    return std::move(E);
  if (Error E = S.G.synchronize())
    return std::move(E);
  return Pairs[0];
}

} // namespace gpuocc::calibration
