//===- WriteGate.cpp - Why a change does not pass -------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Views/WriteGate.h"
#include "GateForms.h"
#include "GitHub.h"
#include "gpuocc/Kernel/KernelName.h"
#include "gpuocc/Report/Format.h"
#include "gpuocc/Support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <tuple>

using namespace gpuocc;
using namespace llvm;

static std::string placeText(StringRef File, unsigned Line, unsigned Column) {
  return formatPlace({File.str(), Line, Column, ""});
}

static std::string slowdownText(const KernelChange &C) {
  std::string Text = formatv("'{0}' is predicted {1:f2}x as slow as before",
                             baseName(C.After->Demangled), C.Ratio);
  if (C.Before->TimeNs && C.After->TimeNs)
    Text += ", " + formatTime(*C.Before->TimeNs) + " to " +
            formatTime(*C.After->TimeNs);
  Text += " on " + C.After->Device + ", " + C.After->LaunchText;
  ListSeparator Comma(", ");
  std::string Causes;
  raw_string_ostream OS(Causes);
  for (const FindingSummary *F : C.Appeared)
    OS << Comma << F->Rule << " at " << placeText(F->File, F->Line, F->Column);
  return Text + (Causes.empty() ? "" : ": " + Causes);
}

/// "4.06 us at 64 x 256 + 0 B".
static std::string timeText(const KernelSummary &K) {
  return (K.TimeNs ? formatTime(*K.TimeNs) + " " : "") + "at " + K.LaunchText;
}

static std::string untimedText(const KernelChange &C) {
  return formatv("'{0}' was predicted {1} on {2}, and has no time {3} now: "
                 "nothing can be compared; 'analyze' says why",
                 baseName(C.After->Demangled), timeText(*C.Before),
                 C.After->Device, timeText(*C.After));
}

/// "registers" of a kernel, with its verb.
static StringRef countText(CountedResource R) {
  switch (R) {
  case CountedResource::Registers:
    return "registers per thread";
  case CountedResource::Spills:
    return "B of spills per thread";
  case CountedResource::Stack:
    return "B of stack per thread";
  case CountedResource::Shared:
    return "B of shared memory per block";
  case CountedResource::Occupancy:
    return "blocks per SM";
  }
  llvm_unreachable("all counts are handled");
}

static std::string worseText(const KernelChange &C, CountedResource R) {
  std::string Text =
      formatv("'{0}' has {1} {2} instead of {3}", baseName(C.After->Demangled),
              countOf(C.After->Resources, R).value_or(0), countText(R),
              countOf(C.Before->Resources, R).value_or(0));
  if (C.Before->TimeNs && C.After->TimeNs)
    Text += formatv(", and is predicted {0:f2}x as slow", C.Ratio);
  return Text + " on " + C.After->Device + ", " + C.After->LaunchText;
}

static std::string messageOf(const GateFault &Fault) {
  if (Fault.Finding)
    return Fault.Finding->Message;
  if (Fault.isUntimed())
    return untimedText(*Fault.Change);
  return Fault.Worse ? worseText(*Fault.Change, *Fault.Worse)
                     : slowdownText(*Fault.Change);
}

/// Gives each entry its fingerprint; \p Keys are those that entries of one
/// kernel share.
static void addFingerprints(MutableArrayRef<GateEntry> Entries,
                            ArrayRef<std::string> Keys) {
  std::map<std::string, unsigned> Ordinals;
  for (auto [Entry, Kernel] : zip_equal(Entries, Keys)) {
    const std::string Key = Entry.Criterion + "\n" + Kernel;
    const unsigned Ordinal = Ordinals[Key]++;
    Entry.Fingerprint =
        utohexstr(xxh3_64bits((Key + "\n" + Twine(Ordinal)).str()),
                  /*LowerCase=*/true, 16);
  }
}

std::vector<GateEntry> gpuocc::gateEntries(ArrayRef<GateFault> Faults) {
  std::vector<GateEntry> Entries;
  std::vector<std::string> Keys;
  for (const GateFault &Fault : Faults) {
    const KernelSummary &K = *Fault.Change->After;
    const FindingSummary *F = Fault.Finding;
    GateEntry Entry;
    Entry.Criterion = Fault.criterion().str();
    Entry.Message = messageOf(Fault);
    if (F && F->Line != 0)
      std::tie(Entry.File, Entry.Line, Entry.Column) =
          std::tie(F->File, F->Line, F->Column);
    else
      std::tie(Entry.File, Entry.Line) = std::tie(K.File, K.Line);
    Entries.push_back(std::move(Entry));
    Keys.push_back(K.Demangled + "\n" + K.Device + "\n" + K.LaunchText);
  }
  addFingerprints(Entries, Keys);
  return Entries;
}

std::vector<GateEntry> gpuocc::gateEntries(ArrayRef<LockChange> Changes,
                                           StringRef Text, StringRef Path,
                                           bool IsStrict) {
  StringMap<unsigned> Lines;
  unsigned Number = 0;
  for (StringRef Line : split(Text, '\n')) {
    ++Number;
    if (Line.consume_front("kernel "))
      Lines.try_emplace(Line, Number);
  }
  std::vector<GateEntry> Entries;
  std::vector<std::string> Keys;
  for (const LockChange &C : Changes) {
    const LockedKernel &K = C.either();
    GateEntry Entry;
    Entry.IsFault = IsStrict || costsTime(C);
    Entry.Criterion = lockVerdictText(C.Verdict).str();
    Entry.File = Path.str();
    auto Found = C.Before ? Lines.find(C.Before->Name) : Lines.end();
    Entry.Line = Found == Lines.end() ? 1 : Found->second;
    Entry.Message = K.Name + " [" + K.Architecture + "]: " + C.Reason;
    Entries.push_back(std::move(Entry));
    Keys.push_back(K.Name + "\n" + K.Architecture);
  }
  addFingerprints(Entries, Keys);
  return Entries;
}

static StringRef levelOf(const GateEntry &Entry) {
  return Entry.IsFault ? "error" : "note";
}

static void writeLines(ArrayRef<GateEntry> Entries, raw_ostream &OS) {
  for (const GateEntry &Entry : Entries) {
    const std::string Place = placeText(Entry.File, Entry.Line, Entry.Column);
    if (!Place.empty())
      OS << printable(Place) << ": ";
    OS << levelOf(Entry) << ": " << printable(Entry.Message) << " ["
       << printable(Entry.Criterion) << "]\n";
  }
}

static void writeAnnotations(ArrayRef<GateEntry> Entries, raw_ostream &OS) {
  for (const GateEntry &Entry : Entries)
    writeAnnotation({Entry.IsFault ? "error" : "notice", Entry.File, Entry.Line,
                     Entry.Column, Entry.Criterion, Entry.Message},
                    OS);
}

ArrayRef<GateView> gpuocc::gateViews() {
  static constexpr GateView Views[] = {
      {"lines", writeLines},
      {"github", writeAnnotations},
      {"sarif", writeGateSarif},
      {"codequality", writeCodeQuality},
  };
  return Views;
}

const GateView *gpuocc::findGateView(StringRef Name) {
  const auto *It = find_if(
      gateViews(), [&](const GateView &View) { return View.Name == Name; });
  return It == gateViews().end() ? nullptr : It;
}
