//===- CallCosts.cpp - What calls cost ------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CallCosts.h"
#include "OpcodeTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"

using namespace gpuocc;
using namespace llvm;

/// Adds \p E to the entry of its class.
static void addEmission(SmallVectorImpl<Emission> &To, const Emission &E) {
  auto *Known =
      find_if(To, [&](const Emission &Of) { return Of.Class == E.Class; });
  if (Known == To.end()) {
    To.push_back(E);
    return;
  }
  Known->Count += E.Count;
  Known->OnPath += E.OnPath;
}

/// Adds \p C to the entry of its function.
static void addQueued(SmallVectorImpl<QueuedCall> &To, const QueuedCall &C) {
  auto *Known = find_if(
      To, [&](const QueuedCall &Of) { return Of.Function == C.Function; });
  if (Known == To.end())
    To.push_back(C);
  else
    Known->Count += C.Count;
}

/// The operations of \p Body from which its longest chain of dependent
/// instructions is made, loops taken once.
static std::vector<bool> longestChain(const KernelFacts &Body) {
  const size_t Size = Body.Operations.size();
  std::vector<double> Length(Size, 0);
  std::vector<uint32_t> Before(Size, NoIndex);
  for (uint32_t I = 0; I != Size; ++I) {
    for (const Operand &O : Body.Operations[I].Operands)
      if (O.isValue() && O.Index < I && Length[O.Index] > Length[I]) {
        Length[I] = Length[O.Index];
        Before[I] = O.Index;
      }
    for (const Emission &E : Body.Operations[I].Emits)
      Length[I] += E.OnPath;
  }
  std::vector<bool> IsOnChain(Size, false);
  if (Size == 0)
    return IsOnChain;
  uint32_t I = max_element(Length) - Length.begin();
  for (; I != NoIndex; I = Before[I])
    IsOnChain[I] = true;
  return IsOnChain;
}

void CallCosts::add(StringRef Name, const KernelFacts &Body,
                    ArrayRef<CallSite> Calls) {
  Function &F = Functions[Name.str()];
  const std::vector<bool> IsOnChain = longestChain(Body);
  for (uint32_t I = 0; I != Body.Operations.size(); ++I)
    for (const Emission &E : Body.Operations[I].Emits)
      // The way back is a part of the call.
      if (E.Class != InstClass::Exit)
        addEmission(F.Emits, {E.Class, E.Count, IsOnChain[I] ? E.OnPath : 0});
  F.HasLoops = !Body.Loops.empty();
  for (const CallSite &Call : Calls)
    F.Callees.push_back(Call.Callee);
}

/// What is not known of \p Callee, which is not among the functions that were
/// read, and whether that is work of unknown size.
static std::pair<std::string, bool> gapOfUnread(StringRef Callee) {
  if (Callee.empty())
    return {"call through a pointer: what it leads to is not known before the "
            "program runs and is not counted",
            true};
  if (const RuntimeFunction *Runtime = runtimeFunction(Callee))
    return {("device " + Runtime->Name + ": " +
             (Runtime->Assumed.empty()
                  ? StringRef("what the runtime does in it is not counted")
                  : Runtime->Assumed))
                .str(),
            Runtime->Emits.empty() && !Runtime->Queue && Runtime->Returns};
  return {"call of '" + demangle(Callee) +
              "', which another file defines: what it does is not counted",
          true};
}

const CallCosts::Sum &CallCosts::sumOf(StringRef Callee) {
  auto [It, IsNew] = Sums.try_emplace(Callee.str());
  Sum &Out = It->second;
  if (!IsNew) {
    Out.IsRecursive |= Out.IsOpen;
    return Out;
  }
  auto Found = Functions.find(Callee);
  if (Found == Functions.end()) {
    if (const RuntimeFunction *Runtime = runtimeFunction(Callee)) {
      append_range(Out.Emits, parseEmissions(Runtime->Emits));
      if (Runtime->Queue)
        Out.Queued.push_back({*Runtime->Queue, 1});
    }
    Out.Gaps.insert(gapOfUnread(Callee));
    return Out;
  }
  const Function &F = Found->second;
  Out.IsOpen = true;
  SmallVector<Emission, 8> Emits = F.Emits;
  SmallVector<QueuedCall, 0> Queued;
  std::map<std::string, bool> Gaps;
  const std::string Name = "'" + demangle(Callee) + "'";
  if (F.HasLoops)
    Gaps.emplace("call of " + Name +
                     ", which was not inlined and has loops: each is counted "
                     "as one turn",
                 true);
  for (const std::string &Next : F.Callees) {
    const Sum &Inner = sumOf(Next);
    for (const Emission &E : Inner.Emits)
      addEmission(Emits, E);
    for (const QueuedCall &C : Inner.Queued)
      addQueued(Queued, C);
    Gaps.insert(Inner.Gaps.begin(), Inner.Gaps.end());
  }
  if (Out.IsRecursive)
    Gaps.emplace("recursive call of " + Name +
                     ": counted once, since its depth is not known",
                 true);
  Out.Emits = std::move(Emits);
  Out.Queued = std::move(Queued);
  Out.Gaps = std::move(Gaps);
  Out.IsOpen = false;
  return Out;
}

void CallCosts::apply(KernelFacts &Facts, ArrayRef<CallSite> Calls) {
  for (const CallSite &Call : Calls) {
    const Sum &Costs = sumOf(Call.Callee);
    Operation &Op = Facts.Operations[Call.Op];
    append_range(Op.Emits, Costs.Emits);
    Op.Queued = Costs.Queued;
    for (const auto &[What, LacksWork] : Costs.Gaps)
      Facts.Gaps.push_back({Op.Location, What, LacksWork});
  }
}
