//===- Submit.cpp - What the owner of a GPU sends
//---------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Submit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"
#include <map>

using namespace llvm;

namespace gpuocc::calibration {

static constexpr StringLiteral TopMembers[] = {
    "schema_version", "name",        "display_name", "architecture",
    "relative",       "chip",        "memory",       "runtime",
    "instructions",   "dependences", "contention",   "ptx_instructions"};

/// Members of `record` that say how a run went. `command` names files.
static constexpr StringLiteral RecordMembers[] = {"tool",
                                                  "date",
                                                  "driver",
                                                  "clocks",
                                                  "code",
                                                  "occupancy",
                                                  "mig",
                                                  "power_limit",
                                                  "other_processes",
                                                  "clocks_lowered",
                                                  "clocks_moved",
                                                  "architecture",
                                                  "nvml",
                                                  "skipped_classes",
                                                  "left_out"};

static constexpr StringLiteral PairsTable = "cross_class_latency";

/// Groups without which a file is no calibration of a GPU, by a number of each.
static constexpr std::pair<StringLiteral, StringLiteral> Needed[] = {
    {"chip", "sm_count"},
    {"chip", "sm_clock_mhz"},
    {"memory", "l1_hit_latency_cycles"},
    {"memory", "l2_hit_latency_cycles"},
    {"memory", "dram_read_bytes_per_cycle_sm"},
    {"instructions", "fp32.fma"},
    {"runtime", "launch_overhead_ns"},
};

namespace {
/// A kind of text that names a person or a machine.
struct PrivateText {
  StringLiteral What, Pattern;
};
} // namespace

static constexpr PrivateText PrivateTexts[] = {
    {"a path", "(^|[^A-Za-z0-9.)])(/[A-Za-z_.]+/|~/|[A-Za-z]:\\\\)"},
    {"an address of the web", "[a-z]+://"},
    {"an address of a mailbox", "[A-Za-z0-9._-]+@[A-Za-z0-9-]+[.][A-Za-z]"},
    {"the identifier of a GPU", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}"},
    {"the address of a GPU",
     "[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}[.][0-9A-Fa-f]"},
};

static Error checkText(StringRef Place, StringRef Text,
                       ArrayRef<std::string> Private) {
  for (const PrivateText &P : PrivateTexts)
    if (Regex(P.Pattern).match(Text))
      return createStringError("%s holds %s, which is not sent: remove it",
                               Place.str().c_str(), P.What.data());
  for (const std::string &Name : Private)
    if (!Name.empty() && Text.contains_insensitive(Name))
      return createStringError("%s holds the name '%s' of this machine or of "
                               "its user, which is not sent: remove it",
                               Place.str().c_str(), Name.c_str());
  return Error::success();
}

/// Checks all texts of \p V, keys too, in the order of their places.
static Error checkTexts(const std::string &Place, const json::Value &V,
                        ArrayRef<std::string> Private) {
  if (std::optional<StringRef> Text = V.getAsString())
    return checkText(Place, *Text, Private);
  if (const json::Array *Elements = V.getAsArray())
    for (const auto &[Index, Element] : enumerate(*Elements))
      if (Error E =
              checkTexts(Place + "[" + utostr(Index) + "]", Element, Private))
        return E;
  const json::Object *Members = V.getAsObject();
  if (!Members)
    return Error::success();
  std::map<std::string, const json::Value *> InOrder;
  for (const auto &[Key, Value] : *Members)
    InOrder[Key.str()] = &Value;
  for (const auto &[Key, Value] : InOrder) {
    const std::string Here = Place.empty() ? Key : Place + "." + Key;
    if (Error E = checkText(Here, Key, Private))
      return E;
    if (Error E = checkTexts(Here, *Value, Private))
      return E;
  }
  return Error::success();
}

static Error checkWhole(const json::Object &File) {
  for (const auto &[Section, Key] : Needed) {
    const json::Object *Numbers = File.getObject(Section);
    if (!Numbers || !Numbers->get(Key))
      return createStringError("%s.%s is missing: send the result of a whole "
                               "run, without --only",
                               Section.data(), Key.data());
  }
  return Error::success();
}

Expected<json::Object> submission(const json::Object &File,
                                  ArrayRef<std::string> Private) {
  if (Error E = checkWhole(File))
    return std::move(E);
  json::Object Sent;
  for (StringRef Key : TopMembers)
    if (const json::Value *Value = File.get(Key))
      Sent[Key] = *Value;
  if (json::Object *Classes = Sent.getObject("instructions"))
    for (auto &Class : *Classes)
      if (json::Object *Entry = Class.second.getAsObject()) {
        Entry->erase("curve");
        Entry->erase("sass");
      }
  if (const json::Object *Record = File.getObject("record")) {
    json::Object Kept;
    for (StringRef Key : RecordMembers)
      if (const json::Value *Value = Record->get(Key))
        Kept[Key] = *Value;
    Sent["record"] = std::move(Kept);
  }
  const json::Object *Tables = File.getObject("tables");
  if (const json::Value *Pairs = Tables ? Tables->get(PairsTable) : nullptr)
    Sent["tables"] = json::Object{{PairsTable, *Pairs}};
  json::Value All(std::move(Sent));
  if (Error E = checkTexts("", All, Private))
    return std::move(E);
  return std::move(*All.getAsObject());
}

} // namespace gpuocc::calibration
