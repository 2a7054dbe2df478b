//===- UnmatchedLaunches.cpp - Launches of no kernel ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/UnmatchedLaunches.h"
#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace llvm;

void UnmatchedLaunches::add(const Config &File, ArrayRef<KernelFacts> Kernels) {
  for (const LaunchSpec &Spec : File.Launches) {
    Entry &E =
        Entries[File.File + "\n" + Spec.Source.text() + "\n" + Spec.Kernel];
    E.Source = Spec.Source.text();
    E.Kernel = Spec.Kernel;
    for (const KernelFacts &Facts : Kernels) {
      E.Matched |= matchesKernel(Spec, Facts);
      E.Others.push_back(baseName(Facts.Demangled).str());
    }
  }
}

std::vector<std::string> UnmatchedLaunches::notes() const {
  std::vector<std::string> Notes;
  for (const Entry &E : make_second_range(Entries)) {
    if (E.Matched || isKernelRegex(E.Kernel))
      continue;
    const SmallVector<StringRef, 8> Names(E.Others.begin(), E.Others.end());
    if (std::optional<StringRef> Near = nearKey(E.Kernel, Names))
      Notes.push_back(E.Source + ": no kernel is named '" + E.Kernel +
                      "'; did you mean '" + Near->str() + "'?");
  }
  return Notes;
}
