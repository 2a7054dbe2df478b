//===- OperationPlaces.cpp - Locations of operations ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadMLIR/OperationPlaces.h"
#include "gpuocc/Kernel/KernelFacts.h"
#include "mlir/IR/Operation.h"

using namespace gpuocc;
using namespace mlir;

/// The file of locations that are numbers: a number is its line.
static constexpr llvm::StringLiteral NumbersFile = "<operations>";

static void addPlaces(Location Loc, std::vector<SourcePlace> &Out) {
  if (auto Line = dyn_cast<FileLineColRange>(Loc))
    Out.push_back({Line.getFilename().str(), Line.getStartLine(),
                   Line.getStartColumn(), ""});
  else if (auto Name = dyn_cast<NameLoc>(Loc))
    addPlaces(Name.getChildLoc(), Out);
  else if (auto Opaque = dyn_cast<OpaqueLoc>(Loc))
    addPlaces(Opaque.getFallbackLocation(), Out);
  else if (auto Call = dyn_cast<CallSiteLoc>(Loc)) {
    addPlaces(Call.getCallee(), Out);
    addPlaces(Call.getCaller(), Out);
  } else if (auto Fused = dyn_cast<FusedLoc>(Loc)) {
    const size_t Before = Out.size();
    for (Location Part : Fused.getLocations())
      if (Out.size() == Before)
        addPlaces(Part, Out);
  }
}

SourceLocation gpuocc::placesOf(Location Loc) {
  SourceLocation All;
  addPlaces(Loc, All.Places);
  llvm::erase_if(All.Places, [](const SourcePlace &P) { return !P.isValid(); });
  return All;
}

static Location numberedLocation(MLIRContext *Context, unsigned Number,
                                 const SourceLocation &Where) {
  return FileLineColLoc::get(Context, NumbersFile, Number,
                             Where.isValid() ? Where.innermost().Column : 0);
}

/// One line of code has one number, so that LLVM keeps it where it merges
/// locations of the line.
static std::string keyOf(const SourceLocation &Where) {
  std::string Key;
  for (const SourcePlace &P : Where.Places)
    Key += P.File + '\0' + std::to_string(P.Line) + ':' +
           (&P == &Where.innermost() ? "" : std::to_string(P.Column)) + '\0';
  return Key;
}

SourceLocation PlaceTable::numberOf(mlir::Operation *Op,
                                    const SourceLocation &Around) {
  SourceLocation Where = gpuocc::placesOf(Op->getLoc());
  if (!Where.isValid())
    Where = Around;
  auto [It, Inserted] =
      Numbers.try_emplace(keyOf(Where), unsigned(Places.size()) + 1);
  if (Inserted)
    Places.push_back(Where);
  const Location Loc = numberedLocation(Op->getContext(), It->second, Where);
  Op->setLoc(Loc);
  for (Region &R : Op->getRegions())
    for (Block &B : R)
      for (BlockArgument A : B.getArguments())
        A.setLoc(Loc);
  return Where;
}

void PlaceTable::number(mlir::Operation *Root) {
  struct Item {
    mlir::Operation *Op;
    SourceLocation Around;
  };
  std::vector<Item> Rest = {{Root, SourceLocation()}};
  while (!Rest.empty()) {
    Item Next = std::move(Rest.back());
    Rest.pop_back();
    const SourceLocation Where = numberOf(Next.Op, Next.Around);
    for (Region &R : Next.Op->getRegions())
      for (mlir::Operation &Child : R.getOps())
        Rest.push_back({&Child, Where});
  }
}

std::vector<SourcePlace> PlaceTable::placesOf(const SourcePlace &Number) const {
  if (Number.Line == 0 || Number.Line > Places.size())
    return {};
  std::vector<SourcePlace> Out = Places[Number.Line - 1].Places;
  if (!Out.empty())
    Out.front().Column = Number.Column;
  for (SourcePlace &P : Out)
    P.Function = Number.Function;
  return Out;
}

SourceLocation PlaceTable::placesOf(Location Loc) const {
  SourceLocation Out;
  for (const SourcePlace &Number : gpuocc::placesOf(Loc).Places)
    llvm::append_range(Out.Places, placesOf(Number));
  return Out;
}

void PlaceTable::restore(KernelFacts &Facts) const {
  for (SourceLocation &Location : Facts.Locations.edit()) {
    std::vector<SourcePlace> All;
    for (const SourcePlace &Number : Location.Places)
      llvm::append_range(All, placesOf(Number));
    Location.Places = std::move(All);
  }
  const std::vector<SourcePlace> Own = placesOf(Facts.Place);
  Facts.Place = Own.empty() ? SourcePlace() : Own.front();
}

LocationIndex::LocationIndex(mlir::Operation *Root) {
  Root->walk<WalkOrder::PreOrder>([&](mlir::Operation *Op) {
    const SourceLocation Where = placesOf(Op->getLoc());
    if (!Where.isValid())
      return;
    const SourcePlace &P = Where.innermost();
    First.try_emplace({P.File, P.Line, P.Column}, Op->getLoc());
    First.try_emplace({P.File, P.Line, 0}, Op->getLoc());
  });
}

Location LocationIndex::find(const SourcePlace &Place,
                             Location Otherwise) const {
  if (!Place.isValid())
    return Otherwise;
  auto It = First.find({Place.File, Place.Line, Place.Column});
  if (It == First.end())
    It = First.find({Place.File, Place.Line, 0});
  if (It != First.end())
    return It->second;
  return FileLineColLoc::get(Otherwise->getContext(), Place.File, Place.Line,
                             Place.Column);
}
