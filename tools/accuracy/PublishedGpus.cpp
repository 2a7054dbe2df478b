//===- PublishedGpus.cpp - The GPUs of Volkov's thesis, as printed there --===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PublishedGpus.h"
#include "MixKernel.h"
#include "gpuocc/Device/DeviceRegistry.h"
#include "gpuocc/Model/Predict.h"
#include "gpuocc/Model/Worksheet.h"
#include "gpuocc/Support/ReadInput.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <cmath>

using namespace gpuocc;
using namespace llvm;

AlphaMix PublishedGpu::at(double Alpha) const {
  AlphaMix M = Mix;
  M.Alpha = Alpha;
  return M;
}

volkov::Contention PublishedGpu::contention() const {
  return {A, {{B, memoryPerCycle(CGBps, Sms, Ghz)}}};
}

static bool fromJSON(const json::Value &V, PublishedGpu &G, json::Path P) {
  json::ObjectMapper O(V, P);
  return O && O.map("name", G.Name) && O.map("device", G.Device) &&
         O.map("schedulers", G.Schedulers) && O.map("sms", G.Sms) &&
         O.map("ghz", G.Ghz) && O.map("mem_lat", G.Mix.MemLatencyCycles) &&
         O.map("mem_thru", G.Mix.MemPerCycle) &&
         O.map("alu_lat", G.Mix.AluLatencyCycles) &&
         O.map("alu_thru", G.Mix.AluPerCycle) &&
         O.map("issue_thru", G.Mix.IssuePerCycle) &&
         O.map("peak_gbs", G.PeakGBps) && O.map("a", G.A) && O.map("b", G.B) &&
         O.map("c_gbs", G.CGBps) && O.map("needed_add", G.NeededAdd) &&
         O.map("needed_linear", G.NeededLinear) &&
         O.map("needed_90", G.Needed90) && O.map("needed_95", G.Needed95) &&
         O.map("percent_at_linear", G.PercentAtLinear) &&
         O.mapOptional("cusp_warps", G.CuspWarps) &&
         O.mapOptional("cusp_alpha", G.CuspAlpha);
}

namespace {
struct GpuList {
  std::vector<PublishedGpu> Gpus;
};
} // namespace

static bool fromJSON(const json::Value &V, GpuList &L, json::Path P) {
  json::ObjectMapper O(V, P);
  const json::Array *Items = O ? V.getAsObject()->getArray("gpus") : nullptr;
  if (!Items) {
    P.field("gpus").report("expected array");
    return false;
  }
  for (size_t I = 0; I != Items->size(); ++I)
    if (!fromJSON((*Items)[I], L.Gpus.emplace_back(), P.field("gpus").index(I)))
      return false;
  return true;
}

Expected<std::vector<PublishedGpu>> gpuocc::readPublishedGpus(StringRef Path) {
  Expected<json::Value> File = readJSONFile(Path);
  if (!File)
    return File.takeError();
  GpuList List;
  json::Path::Root Root("published");
  if (!fromJSON(*File, List, Root))
    return createFileError(Path, Root.getError());
  return std::move(List.Gpus);
}

Expected<LineDistance> gpuocc::lineDistance(const PublishedGpu &Gpu) {
  Expected<DeviceModel> Device = loadDevice(Gpu.Device);
  if (!Device)
    return Device.takeError();
  LineDistance D{INFINITY, 0};
  for (unsigned Alpha : {0u, 1u, 8u, 16u, 32u, 64u, 128u, 512u}) {
    MixKernel K = mixKernel({MixKind::DramLoad, Alpha, 1, MixFrame::Bare});
    Prediction P = predict(K.Facts, K.Profile, K.How, *Device);
    for (double Warps = 1; Warps <= 64; ++Warps) {
      double Ours = K.GroupsPerWarp * std::min(Warps / P.Latency.CyclesPerWarp,
                                               warpThroughputBound(P.Bounds));
      double Ratio = Ours / volkov::throughput(Gpu.at(Alpha), Warps);
      D.Lowest = std::min(D.Lowest, Ratio);
      D.Highest = std::max(D.Highest, Ratio);
    }
  }
  return D;
}
