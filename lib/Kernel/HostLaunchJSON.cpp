//===- HostLaunchJSON.cpp - Launches of host code to JSON and back --------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/HostLaunch.h"
#include "gpuocc/Support/ParseJSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace llvm;

namespace gpuocc {

/// A number, `{"real": 0.5}`, a variable as a string, an operation as
/// `["+", a, b]`.
static json::Value toJSON(const HostExpr &E) {
  switch (E.What) {
  case HostExpr::Kind::Number:
    if (E.Value.IsReal)
      return json::Object{{"real", E.Value.Real}};
    return E.Value.Integer;
  case HostExpr::Kind::Variable:
    return json::fixUTF8(E.Name);
  case HostExpr::Kind::Operation:
    break;
  }
  json::Array A{E.Name};
  for (const HostExpr &Operand : E.Operands)
    A.push_back(toJSON(Operand));
  return A;
}

static bool fromJSON(const json::Value &J, HostExpr &E, json::Path P) {
  if (std::optional<int64_t> Number = J.getAsInteger()) {
    E = HostExpr::number(*Number);
    return true;
  }
  if (std::optional<StringRef> Name = J.getAsString()) {
    E = HostExpr::variable(Name->str());
    return true;
  }
  if (const json::Object *O = J.getAsObject()) {
    E = HostExpr();
    E.Value.IsReal = true;
    json::ObjectMapper Map(J, P);
    return O->size() == 1 && Map.map("real", E.Value.Real);
  }
  const json::Array *A = J.getAsArray();
  if (!A || A->size() < 2 || !A->front().getAsString()) {
    P.report("expected an expression");
    return false;
  }
  E = HostExpr::operation(A->front().getAsString()->str(), {});
  for (size_t I = 1; I != A->size(); ++I)
    if (!fromJSON((*A)[I], E.Operands.emplace_back(), P.index(I)))
      return false;
  return true;
}

static json::Value toJSON(const HostExtent &E) {
  return json::Array{toJSON(E[0]), toJSON(E[1]), toJSON(E[2])};
}

static bool fromJSON(const json::Value &J, HostExtent &E, json::Path P) {
  const json::Array *A = J.getAsArray();
  if (!A || A->size() != E.size()) {
    P.report("expected three extents");
    return false;
  }
  for (size_t I = 0; I != E.size(); ++I)
    if (!fromJSON((*A)[I], E[I], P.index(I)))
      return false;
  return true;
}

template <typename Value>
static json::Value toJSON(const std::map<unsigned, Value> &Values) {
  json::Object O;
  for (const auto &[Key, Of] : Values)
    O[std::to_string(Key)] = toJSON(Of);
  return O;
}

template <typename Value>
static bool fromJSON(const json::Value &J, std::map<unsigned, Value> &Out,
                     json::Path P) {
  const json::Object *O = J.getAsObject();
  if (!O) {
    P.report("expected object");
    return false;
  }
  for (const auto &[Name, Of] : *O) {
    unsigned Index = 0;
    if (StringRef(Name).getAsInteger(10, Index)) {
      P.field(Name).report("expected the number of a parameter or a byte");
      return false;
    }
    if (!fromJSON(Of, Out[Index], P.field(Name)))
      return false;
  }
  return true;
}

} // namespace gpuocc

/// Left out where they say nothing.
static constexpr std::pair<StringLiteral, bool HostAllowance::*>
    AllowanceFields[] = {
        {"cooperative", &HostAllowance::IsCooperative},
        {"may_raise_shared", &HostAllowance::MayRaiseShared},
        {"may_raise_cluster", &HostAllowance::MayRaiseCluster}};

json::Value gpuocc::toJSON(const HostLaunch &L) {
  json::Object O{{"kernel", json::fixUTF8(L.Kernel)},
                 {"file", json::fixUTF8(L.Place.File)},
                 {"line", L.Place.Line},
                 {"column", L.Place.Column},
                 {"function", json::fixUTF8(L.Place.Function)},
                 {"grid", toJSON(L.Grid)},
                 {"block", toJSON(L.Block)},
                 {"dynamic_shared_bytes", toJSON(L.DynamicSharedBytes)},
                 {"arguments", toJSON(L.Arguments)}};
  if (!L.Members.empty())
    O["members"] = toJSON(L.Members);
  if (!L.ArrayBytes.empty())
    O["array_bytes"] = toJSON(L.ArrayBytes);
  if (L.Cluster)
    O["cluster"] = toJSON(*L.Cluster);
  if (L.InLoop) {
    O["loop_turns"] = toJSON(L.InLoop->Turns);
    O["moved_in_loop"] = json::Array(L.InLoop->Moved);
  }
  for (const auto &[Key, Member] : AllowanceFields)
    if (L.Allowed.*Member != HostAllowance().*Member)
      O[Key] = L.Allowed.*Member;
  return O;
}

static bool readLoop(json::ObjectMapper &Map, HostLaunch &L) {
  std::optional<HostExpr> Turns;
  std::vector<unsigned> Moved;
  if (!Map.map("loop_turns", Turns) || !Map.mapOptional("moved_in_loop", Moved))
    return false;
  if (Turns)
    L.InLoop = LaunchesOfLoop{std::move(*Turns), std::move(Moved)};
  return true;
}

bool gpuocc::fromJSON(const json::Value &J, HostLaunch &L, json::Path P) {
  json::ObjectMapper Map(J, P);
  for (const auto &[Key, Member] : AllowanceFields)
    if (!Map || !Map.mapOptional(Key, L.Allowed.*Member))
      return false;
  return Map && Map.map("kernel", L.Kernel) && Map.map("file", L.Place.File) &&
         Map.map("line", L.Place.Line) && Map.map("column", L.Place.Column) &&
         Map.map("function", L.Place.Function) && Map.map("grid", L.Grid) &&
         Map.map("block", L.Block) &&
         Map.map("dynamic_shared_bytes", L.DynamicSharedBytes) &&
         Map.map("arguments", L.Arguments) &&
         Map.mapOptional("members", L.Members) &&
         Map.mapOptional("array_bytes", L.ArrayBytes) &&
         Map.map("cluster", L.Cluster) && readLoop(Map, L);
}

std::string gpuocc::hostLaunchesText(const std::vector<HostLaunch> &Launches) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::Array A;
  for (const HostLaunch &L : Launches)
    A.push_back(toJSON(L));
  OS << json::Value(std::move(A));
  return Text;
}

Expected<std::vector<HostLaunch>> gpuocc::parseHostLaunches(StringRef Text) {
  Expected<json::Value> Parsed = parseJSON(Text);
  if (!Parsed)
    return Parsed.takeError();
  std::vector<HostLaunch> Launches;
  json::Path::Root Root("launches");
  if (!json::fromJSON(*Parsed, Launches, Root))
    return Root.getError();
  return Launches;
}
