//===- ResolveLaunches.cpp - The launches of a kernel ---------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Config/ResolveLaunches.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Support/NearestKey.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace gpuocc;
using namespace llvm;

/// Threads of a block that nobody gave: large enough to fill an SM with few
/// blocks, small enough for every kernel without launch bounds.
static constexpr uint64_t FallbackBlockThreads = 256;

bool gpuocc::matchesKernel(const LaunchSpec &Spec, const KernelFacts &Facts) {
  StringRef Pattern = Spec.Kernel;
  if (isKernelRegex(Pattern)) {
    Regex Expression(Pattern.drop_front().drop_back());
    return Expression.match(Facts.Name) ||
           Expression.match(qualifiedName(Facts.Demangled));
  }
  return Pattern == Facts.Name || Pattern == Facts.Demangled ||
         Pattern == qualifiedName(Facts.Demangled) ||
         Pattern == qualifiedName(Facts.Demangled).split('<').first ||
         Pattern == baseName(Facts.Demangled);
}

Error gpuocc::checkKernelsExist(ArrayRef<LaunchSpec> Options,
                                ArrayRef<KernelFacts> Kernels) {
  for (const LaunchSpec &Spec : Options) {
    if (any_of(Kernels, [&](const KernelFacts &Facts) {
          return matchesKernel(Spec, Facts);
        }))
      continue;
    SmallVector<StringRef, 8> Names;
    for (const KernelFacts &Facts : Kernels)
      Names.push_back(baseName(Facts.Demangled));
    StringRef Nearest = nearestKey(Spec.Kernel, Names);
    if (Nearest.empty())
      return createStringError("launch of '" + Spec.Kernel +
                               "': the module has no kernels");
    return createStringError("launch of '" + Spec.Kernel +
                             "': no such kernel; did you mean '" + Nearest +
                             "'?");
  }
  return Error::success();
}

namespace {

/// Turns one LaunchSpec into a Launch of one kernel.
class Resolver {
public:
  Resolver(const KernelFacts &Facts, const Config &File)
      : Facts(Facts), File(File) {}

  Expected<Launch> resolve(const LaunchSpec *Spec,
                           std::vector<std::string> &Notes) {
    Launch L;
    L.Block = fallbackBlock();
    L.DynamicSharedBytes = {0, "default"};
    L.Cluster = requiredCluster();
    if (!Spec)
      return L;
    if (Spec->Block) {
      L.Block = {*Spec->Block, Spec->Source};
      if (Error E = checkBlock(*Spec))
        return std::move(E);
    }
    if (Spec->Grid)
      L.Grid = Sourced<Dim3>{*Spec->Grid, Spec->Source};
    if (Spec->Cluster)
      L.Cluster = *Spec->Cluster;
    if (Spec->DynamicSharedBytes)
      L.DynamicSharedBytes = {*Spec->DynamicSharedBytes, Spec->Source};
    for (const auto &[Key, Trips] : Spec->TripCounts) {
      // Launch keys loops by base name; people may give more of the path.
      StringRef Base = sys::path::filename(Key);
      L.TripCounts[Base.str()] = {Trips, Spec->Source};
    }
    for (const auto &[Key, Value] : Spec->Arguments)
      if (Error E = addArgument(*Spec, Key, Value, L, Notes))
        return std::move(E);
    return L;
  }

private:
  Sourced<Dim3> fallbackBlock() const {
    auto [X, Y, Z] = Facts.Bounds.RequiredBlock;
    if (X != 0)
      return {{X, std::max(Y, 1u), std::max(Z, 1u)}, "required block size"};
    unsigned Most = Facts.Bounds.MaxThreads;
    if (File.DefaultBlock &&
        (Most == 0 || File.DefaultBlock->Value.count() <= Most))
      return *File.DefaultBlock;
    if (Most != 0)
      return {{Most, 1, 1}, "launch bounds"};
    return {{FallbackBlockThreads, 1, 1}, "default"};
  }

  Dim3 requiredCluster() const {
    auto [X, Y, Z] = Facts.Bounds.Cluster;
    return {std::max(X, 1u), std::max(Y, 1u), std::max(Z, 1u)};
  }

  Error fail(const LaunchSpec &Spec, const Twine &What) const {
    return createStringError(Spec.Source + ": launch of '" +
                             baseName(Facts.Demangled) + "': " + What);
  }

  Error checkBlock(const LaunchSpec &Spec) const {
    auto [X, Y, Z] = Facts.Bounds.RequiredBlock;
    if (X != 0 && !(*Spec.Block == Dim3{X, std::max(Y, 1u), std::max(Z, 1u)}))
      return fail(Spec, "the kernel requires blocks of " + Twine(X) + "x" +
                            Twine(std::max(Y, 1u)) + "x" +
                            Twine(std::max(Z, 1u)));
    unsigned Most = Facts.Bounds.MaxThreads;
    if (Most != 0 && Spec.Block->count() > Most)
      return fail(Spec, "a block of " + Twine(Spec.Block->count()) +
                            " threads exceeds the launch bound of " +
                            Twine(Most));
    return Error::success();
  }

  Error addArgument(const LaunchSpec &Spec, StringRef Key,
                    const ScalarArgument &Value, Launch &L,
                    std::vector<std::string> &Notes) const {
    unsigned Index = 0;
    if (!Key.getAsInteger(10, Index)) {
      if (Index >= Facts.Parameters.size())
        return fail(Spec, "argument " + Key + ": the kernel has " +
                              Twine(Facts.Parameters.size()) +
                              " parameters, counted from 0");
      L.Arguments[Index] = {Value, Spec.Source};
      return Error::success();
    }
    SmallVector<StringRef, 8> Names;
    for (const Parameter &P : Facts.Parameters)
      if (!P.Name.empty())
        Names.push_back(P.Name);
    for (Index = 0; Index != Facts.Parameters.size(); ++Index)
      if (Facts.Parameters[Index].Name == Key) {
        L.Arguments[Index] = {Value, Spec.Source};
        return Error::success();
      }
    if (Names.empty() && !Facts.Parameters.empty()) {
      Notes.push_back((Spec.Source + ": argument '" + Key +
                       "' is not used: the module has no parameter names; "
                       "give its position (from 0) or compile with "
                       "-fno-discard-value-names")
                          .str());
      return Error::success();
    }
    if (Names.empty())
      return fail(Spec, "argument '" + Key + "': the kernel has no parameters");
    // In an option the keys of the launch stand beside the arguments.
    if (Spec.Source == "--launch")
      Names.append({"grid", "block", "cluster", "shared"});
    return fail(Spec, "no parameter is named '" + Key + "'; did you mean '" +
                          nearestKey(Key, Names) + "'?");
  }

  const KernelFacts &Facts;
  const Config &File;
};

} // namespace

Expected<ResolvedLaunches>
gpuocc::resolveLaunches(const KernelFacts &Facts, const Config &File,
                        ArrayRef<LaunchSpec> Options) {
  SmallVector<const LaunchSpec *, 4> Specs;
  for (ArrayRef<LaunchSpec> From : {Options, ArrayRef(File.Launches)}) {
    if (!Specs.empty())
      break;
    for (const LaunchSpec &Spec : From)
      if (matchesKernel(Spec, Facts))
        Specs.push_back(&Spec);
  }
  if (Specs.empty())
    Specs.push_back(nullptr);
  ResolvedLaunches Out;
  Resolver Resolve(Facts, File);
  for (const LaunchSpec *Spec : Specs) {
    Expected<Launch> L = Resolve.resolve(Spec, Out.Notes);
    if (!L)
      return L.takeError();
    Out.Launches.push_back(std::move(*L));
  }
  return Out;
}
