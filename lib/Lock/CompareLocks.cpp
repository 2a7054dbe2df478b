//===- CompareLocks.cpp - What changed since a lock file ------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Lock/CompareLocks.h"
#include "gpuocc/Report/CompareReports.h"
#include "gpuocc/Report/Format.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

StringRef gpuocc::lockVerdictText(LockVerdict V) {
  switch (V) {
  case LockVerdict::CannotRun:
    return "cannot run";
  case LockVerdict::Slower:
    return "slower";
  case LockVerdict::CannotCompare:
    return "cannot compare";
  case LockVerdict::Faster:
    return "faster";
  case LockVerdict::Changed:
    return "changed";
  case LockVerdict::Added:
    return "added";
  case LockVerdict::Removed:
    return "removed";
  }
  llvm_unreachable("all verdicts are handled");
}

bool gpuocc::costsTime(const LockChange &Change) {
  return Change.Verdict == LockVerdict::CannotRun ||
         Change.Verdict == LockVerdict::Slower ||
         Change.Verdict == LockVerdict::CannotCompare;
}

namespace {

/// A launch before and after.
struct LaunchPair {
  const LockedLaunch *Before, *After;
};

/// A number of a kernel, and how a change of it reads.
struct CountRow {
  std::optional<uint64_t> LockedKernel::*Value;
  StringLiteral Noun;
  StringLiteral Cause;
};

constexpr CountRow CountRows[] = {
    {&LockedKernel::Registers, "register", "registers"},
    {&LockedKernel::SpillBytes, "B of spills", "spills"},
    {&LockedKernel::StackBytes, "B of stack", "stack"},
    {&LockedKernel::SharedBytes, "B of shared memory", "shared memory"},
};

} // namespace

/// Launches of equal text and device, then the others in order: a launch that
/// changed is the same launch.
static std::vector<LaunchPair> pairLaunches(const LockedKernel &Before,
                                            const LockedKernel &After) {
  std::vector<LaunchPair> Pairs;
  std::vector<const LockedLaunch *> OpenBefore, OpenAfter;
  for (const LockedLaunch &L : Before.Launches)
    OpenBefore.push_back(&L);
  auto Take = [&](const LockedLaunch &New, bool OnlySame) {
    auto Found = find_if(OpenBefore, [&](const LockedLaunch *Old) {
      return Old->Device == New.Device && (!OnlySame || Old->Text == New.Text);
    });
    if (Found == OpenBefore.end())
      return false;
    Pairs.push_back({*Found, &New});
    OpenBefore.erase(Found);
    return true;
  };
  for (const LockedLaunch &L : After.Launches)
    if (!Take(L, /*OnlySame=*/true))
      OpenAfter.push_back(&L);
  for (const LockedLaunch *L : OpenAfter)
    Take(*L, /*OnlySame=*/false);
  return Pairs;
}

static std::string counted(uint64_t Count, StringRef Noun) {
  return Noun == "register" ? formatCount(double(Count), Noun)
                            : (Twine(Count) + " " + Noun).str();
}

/// "98 registers instead of 86".
static std::string countsText(const LockedKernel &A, const LockedKernel &B) {
  std::string Text;
  ListSeparator Comma;
  raw_string_ostream OS(Text);
  for (const CountRow &Row : CountRows) {
    const auto Old = A.*Row.Value, New = B.*Row.Value;
    if (Old && New && *Old != *New)
      OS << Comma << counted(*New, Row.Noun) << " instead of " << *Old;
  }
  return Text;
}

static std::optional<uint64_t> blocksOf(const LockedKernel &K,
                                        const LockedLaunch *L) {
  if (L)
    return L->BlocksPerSm;
  return K.Blocks ? std::optional(K.Blocks->PerSm) : std::nullopt;
}

static double ratioOf(const LaunchPair &P) {
  return P.Before->TimeNs && P.After->TimeNs && *P.Before->TimeNs > 0
             ? *P.After->TimeNs / *P.Before->TimeNs
             : 1;
}

/// "98 registers instead of 86: 2 blocks per SM instead of 3; ...", where
/// \p Worst is the launch that the change costs most; null: none is known.
static std::string reasonOf(const LockedKernel &A, const LockedKernel &B,
                            const LaunchPair *Worst) {
  std::string Text = A.Name == B.Name ? "" : "was " + A.Name;
  const std::string Counts = countsText(A, B);
  if (!Text.empty() && !Counts.empty())
    Text += "; ";
  Text += Counts;
  StringRef Separator = Text.empty() ? "" : Counts.empty() ? "; " : ": ";
  auto Add = [&](const Twine &More) {
    Text += (Separator + More).str();
    Separator = "; ";
  };
  const LockedLaunch *Old = Worst ? Worst->Before : nullptr;
  const LockedLaunch *New = Worst ? Worst->After : nullptr;
  if (New && New->CannotRun && !Old->CannotRun) {
    Add("launch " + New->Text + " cannot run on " + New->Device);
    return Text;
  }
  const auto OldBlocks = blocksOf(A, Old), NewBlocks = blocksOf(B, New);
  if (OldBlocks && NewBlocks && *OldBlocks != *NewBlocks)
    Add(formatCount(double(*NewBlocks), "block") + " per SM instead of " +
        Twine(*OldBlocks));
  if (New && Old->Text != New->Text)
    Add("launch " + New->Text + " instead of " + Old->Text);
  if (New && Old->TimeNs && !New->TimeNs)
    Add("no time instead of " + formatTime(*Old->TimeNs));
  if (New && Old->TimeNs && New->TimeNs && *Old->TimeNs != *New->TimeNs)
    Add(formatv("time {0:f2}x", ratioOf(*Worst)).str());
  if (New && !New->Limiter.empty() && *Old != *New) {
    std::string Bound = "bound by " + New->Limiter;
    if (Old->Limiter != New->Limiter && !Old->Limiter.empty())
      Bound += " instead of " + Old->Limiter;
    if (New->NeededWarps && New->WarpsPerSm)
      Bound += ", which needs " + std::to_string(*New->NeededWarps) + " of " +
               std::to_string(*New->WarpsPerSm) + " warps";
    Add(Bound);
  }
  if (!Worst && !A.Launches.empty())
    Add(B.Launches.empty()
            ? "no launch is known, " +
                  Twine(A.Launches.size() == 1 ? "one was" : "several were")
            : "launches on " + Twine(B.Launches.front().Device) +
                  ", the file has those on " + A.Launches.front().Device);
  if (Text.empty())
    return A.Launches.size() != B.Launches.size()
               ? formatCount(double(B.Launches.size()), "launch") +
                     " instead of " + std::to_string(A.Launches.size())
               : "what is known of it";
  return Text;
}

/// Without a price: local memory that is used more costs time, whatever else
/// changed, and so do fewer blocks where it is used as before.
static LockVerdict unpricedVerdict(const LockedKernel &A, const LockedKernel &B,
                                   ArrayRef<LaunchPair> Pairs) {
  const uint64_t OldLocal = A.SpillBytes.value_or(0) + A.StackBytes.value_or(0);
  const uint64_t NewLocal = B.SpillBytes.value_or(0) + B.StackBytes.value_or(0);
  if (NewLocal != OldLocal)
    return NewLocal > OldLocal ? LockVerdict::Slower : LockVerdict::Faster;
  bool HasFewer = false, HasMore = false;
  auto Compare = [&](std::optional<uint64_t> Old, std::optional<uint64_t> New) {
    HasFewer |= Old && New && *New < *Old;
    HasMore |= Old && New && *New > *Old;
  };
  Compare(blocksOf(A, nullptr), blocksOf(B, nullptr));
  // Of larger blocks an SM holds fewer: that is no loss.
  for (const LaunchPair &P : Pairs)
    if (P.Before->Text == P.After->Text)
      Compare(P.Before->BlocksPerSm, P.After->BlocksPerSm);
  if (HasFewer)
    return LockVerdict::Slower;
  return HasMore ? LockVerdict::Faster : LockVerdict::Changed;
}

static LockChange changeOf(const LockedKernel &Before,
                           const LockedKernel &After, double Threshold) {
  LockChange Change{&Before, &After, LockVerdict::Changed, 1, ""};
  const std::vector<LaunchPair> Pairs = pairLaunches(Before, After);
  const LaunchPair *Worst = nullptr;
  bool IsPriced = false, IsSlower = false, IsFaster = false;
  // What shows of a launch, whatever the ratios of the others are.
  enum { Ordinary, LostTime, Broken } Worse = Ordinary;
  if (Pairs.empty() && any_of(Before.Launches, [](const LockedLaunch &L) {
        return L.TimeNs.has_value();
      }))
    Worse = LostTime;
  for (const LaunchPair &P : Pairs) {
    const auto Its =
        P.After->CannotRun && !P.Before->CannotRun ? Broken
        : P.Before->TimeNs && !P.After->TimeNs && !P.After->CannotRun
            ? LostTime
            : Ordinary;
    const double Ratio = ratioOf(P);
    const double Least = changeThreshold(Threshold, P.Before->DataDecides ||
                                                        P.After->DataDecides);
    IsPriced |= P.Before->TimeNs && P.After->TimeNs;
    IsSlower |= isSlower(Ratio, Least);
    IsFaster |= isFaster(Ratio, Least);
    if (!Worst || Its > Worse || (Its == Worse && Ratio > Change.Ratio)) {
      Worst = &P;
      Change.Ratio = Ratio;
    }
    Worse = std::max(Worse, Its);
  }
  if (Worse == Broken)
    Change.Verdict = LockVerdict::CannotRun;
  else if (Worse == LostTime && !IsSlower)
    Change.Verdict = LockVerdict::CannotCompare;
  else if (!IsPriced)
    Change.Verdict = unpricedVerdict(Before, After, Pairs);
  else if (IsSlower || IsFaster)
    Change.Verdict = IsSlower ? LockVerdict::Slower : LockVerdict::Faster;
  Change.Reason = reasonOf(Before, After, Worst);
  return Change;
}

/// The function of a kernel's name: without arguments of templates and
/// parameters, which change with the type of an index.
static StringRef functionOf(StringRef Name) {
  return Name.take_until([](char C) { return C == '<' || C == '('; });
}

/// Pairs what is gone with what is new where each is the only one of its
/// function: its signature changed. Nobody says which of several it was.
static void pairBySignature(
    std::vector<const LockedKernel *> &Gone,
    std::vector<const LockedKernel *> &New,
    function_ref<void(const LockedKernel &, const LockedKernel &)> TakePair) {
  using Key = std::pair<StringRef, StringRef>;
  auto KeyOf = [](const LockedKernel *K) {
    return Key(functionOf(K->Name), K->Architecture);
  };
  std::map<Key, std::vector<const LockedKernel *>> GoneOf, NewOf;
  for (const LockedKernel *K : Gone)
    GoneOf[KeyOf(K)].push_back(K);
  for (const LockedKernel *K : New)
    NewOf[KeyOf(K)].push_back(K);
  for (const auto &[Function, Before] : GoneOf) {
    const auto After = NewOf.find(Function);
    if (Function.first.empty() || Before.size() != 1 || After == NewOf.end() ||
        After->second.size() != 1)
      continue;
    TakePair(*Before.front(), *After->second.front());
    llvm::erase(Gone, Before.front());
    llvm::erase(New, After->second.front());
  }
}

std::vector<LockChange> gpuocc::compareLocks(const LockFile &Before,
                                             const LockFile &After,
                                             double Threshold) {
  using Key = std::pair<StringRef, StringRef>;
  auto KeyOf = [](const LockedKernel &K) {
    return Key(K.Name, K.Architecture);
  };
  std::map<Key, std::vector<const LockedKernel *>> Old, New;
  for (const LockedKernel &K : Before.Kernels)
    Old[KeyOf(K)].push_back(&K);
  for (const LockedKernel &K : After.Kernels)
    New[KeyOf(K)].push_back(&K);
  std::vector<LockChange> Changes;
  std::vector<const LockedKernel *> Gone, Added;
  for (auto &[Name, Now] : New) {
    std::vector<const LockedKernel *> &Then = Old[Name];
    // Of several kernels of a name, those that did not change.
    erase_if(Now, [&](const LockedKernel *K) {
      auto Same = find_if(Then, [&](auto *Other) { return *Other == *K; });
      if (Same == Then.end())
        return false;
      Then.erase(Same);
      return true;
    });
    const size_t NumPairs = std::min(Now.size(), Then.size());
    for (size_t I = 0; I != NumPairs; ++I)
      Changes.push_back(changeOf(*Then[I], *Now[I], Threshold));
    append_range(Added, drop_begin(Now, NumPairs));
    Then.erase(Then.begin(), Then.begin() + NumPairs);
  }
  for (auto &[Name, Then] : Old)
    append_range(Gone, Then);
  pairBySignature(Gone, Added,
                  [&](const LockedKernel &Before, const LockedKernel &After) {
                    Changes.push_back(changeOf(Before, After, Threshold));
                  });
  for (const LockedKernel *K : Added)
    Changes.push_back({nullptr, K, LockVerdict::Added, 1, "new"});
  for (const LockedKernel *K : Gone)
    Changes.push_back({K, nullptr, LockVerdict::Removed, 1, "gone"});
  llvm::sort(Changes, [](const LockChange &A, const LockChange &B) {
    auto Rank = [](const LockChange &C) {
      return std::make_tuple(C.Verdict, -C.Ratio, StringRef(C.either().Name),
                             StringRef(C.either().Architecture), &C.either());
    };
    return Rank(A) < Rank(B);
  });
  return Changes;
}

/// "more registers", "fewer registers and spills".
static std::string causeOf(const LockChange &C) {
  if (!C.Before || !C.After)
    return C.Before ? "gone" : "new";
  std::string Text;
  raw_string_ostream OS(Text);
  ListSeparator And(" and ");
  for (const CountRow &Row : CountRows) {
    const auto Old = C.Before->*Row.Value, New = C.After->*Row.Value;
    if (Old && New && *Old != *New)
      OS << And << (*New > *Old ? "more " : "less ") << Row.Cause;
  }
  if (!Text.empty())
    return Text;
  for (const LaunchPair &P : pairLaunches(*C.Before, *C.After))
    if (P.Before->Text != P.After->Text)
      return "another launch";
  return "other instructions";
}

std::vector<LockCause> gpuocc::causesOf(ArrayRef<LockChange> Changes) {
  std::map<std::string, LockCause> Causes;
  for (const LockChange &C : Changes) {
    const std::string What = causeOf(C);
    Causes[What].What = What;
    Causes[What].Changes.push_back(&C);
  }
  std::vector<LockCause> Out;
  for (auto &[What, Cause] : Causes)
    Out.push_back(std::move(Cause));
  llvm::sort(Out, [](const LockCause &A, const LockCause &B) {
    const size_t OfA = A.Changes.size(), OfB = B.Changes.size();
    return OfA != OfB ? OfA > OfB : A.What < B.What;
  });
  return Out;
}
