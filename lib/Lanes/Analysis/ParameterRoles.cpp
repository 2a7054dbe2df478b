//===- ParameterRoles.cpp - What a kernel does with its arguments ---------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Analysis/ParameterRoles.h"
#include "Analysis/ArgumentProducts.h"
#include "Analysis/FloatSemantics.h"
#include "gpuocc/Kernel/Copies.h"
#include "gpuocc/Kernel/OperationTraits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

using namespace gpuocc;

namespace {

class RoleFinder {
public:
  RoleFinder(const KernelFacts &Facts,
             llvm::function_ref<bool(const Operand &)> IsVarying)
      : Facts(Facts), IsVarying(IsVarying),
        Dimensions(Facts.Operations.size()) {}

  std::map<int64_t, ParameterRole> run() {
    findDimensions();
    for (const Operation &Op : Facts.Operations)
      for (size_t I = 0; I < Op.Operands.size(); ++I)
        noteUse(Op, I);
    std::map<int64_t, ParameterRole> Roles;
    for (const auto &[Offset, U] : Uses) {
      ParameterRole &Role = Roles[Offset];
      Role.IsStart = U.AsAddend && !U.Otherwise;
      Role.IsCount = U.AsCount && !U.NotAsCount;
      Role.IsReal = U.AsReal;
      Role.Dimensions = U.Dimensions;
      Role.Bounded = U.Bounded;
      Role.IsScale = U.AsScale && !U.IsCompared && U.PitchOf == NoIndex;
      Role.PitchOf = U.PitchOf;
    }
    for (const Operation &Op : Facts.Operations)
      if (Op.What == Semantics::Compare && Op.Operands.size() == 2)
        for (unsigned I : {0u, 1u})
          noteProduct(Op.Operands[I], Op.Operands[1 - I], Roles);
    for (const auto &[Offset, Size] : argumentsOfProducts(Facts))
      Roles[Offset].Multiplied = Size;
    return Roles;
  }

private:
  struct UsesOfParameter {
    bool AsAddend = false, Otherwise = false;
    bool AsCount = false, NotAsCount = false;
    bool AsReal = false;
    bool AsScale = false, IsCompared = false;
    uint32_t PitchOf = NoIndex;
    uint8_t Dimensions = 0;
    std::vector<BoundedIndex> Bounded;
  };

  const Operation *opOf(const Operand &O) const {
    return O.isValue() && O.Index < Facts.Operations.size()
               ? &Facts.Operations[O.Index]
               : nullptr;
  }

  static uint8_t dimensionOf(SpecialReg R) {
    switch (R) {
    case SpecialReg::TidX:
    case SpecialReg::CtaIdX:
      return 1;
    case SpecialReg::TidY:
    case SpecialReg::CtaIdY:
      return 2;
    case SpecialReg::TidZ:
    case SpecialReg::CtaIdZ:
      return 4;
    default:
      return 0;
    }
  }

  void findDimensions() {
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (size_t I = 0; I < Facts.Operations.size(); ++I) {
        const Operation &Op = Facts.Operations[I];
        uint8_t D = Dimensions[I];
        if (Op.What == Semantics::SReg)
          D |= dimensionOf(Op.SReg);
        else if (Op.What != Semantics::Load)
          for (const Operand &O : Op.Operands)
            D |= opOf(O) ? Dimensions[O.Index] : 0;
        Changed |= D != Dimensions[I];
        Dimensions[I] = D;
      }
    }
  }

  /// Sums, masks and shifts of a value and a constant, as loops that are
  /// unrolled compute from their bounds.
  static bool isOfConstant(const Operation &Op) {
    switch (Op.What) {
    case Semantics::Add:
    case Semantics::Sub:
    case Semantics::And:
    case Semantics::ShrU:
    case Semantics::ShrS:
      return Op.Operands.size() == 2 && Op.Operands[1].isImmediate();
    default:
      return false;
    }
  }

  /// The byte of the parameter behind \p O; \p ThroughConstants: also of what
  /// constants were added to.
  std::optional<int64_t> parameterOf(Operand O, bool ThroughConstants) const {
    const Operation *Op = opOf(O);
    while (Op && (passesOn(*Op) || (ThroughConstants && isOfConstant(*Op)))) {
      O = Op->Operands[0];
      Op = opOf(O);
    }
    if (!Op || Op->What != Semantics::Param)
      return std::nullopt;
    return parameterByteOf(*Op, O.Result);
  }

  /// The parameters that \p O is the product of, in order of their offsets;
  /// false if it is made of anything else but them and constants.
  bool findFactors(Operand O, std::vector<int64_t> &Factors,
                   unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 8;
    if (O.isImmediate())
      return true;
    O = behindWidths(Facts, O);
    const Operation *Op = opOf(O);
    if (!Op || Depth > MaxDepth)
      return false;
    switch (Op->What) {
    case Semantics::Param:
      if (llvm::is_contained(Factors, parameterByteOf(*Op, O.Result)))
        return false;
      Factors.push_back(parameterByteOf(*Op, O.Result));
      return true;
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
      return llvm::all_of(Op->Operands, [&](const Operand &Factor) {
        return findFactors(Factor, Factors, Depth + 1);
      });
    default:
      return false;
    }
  }

  /// Notes the factors of \p Bound, which is compared with \p Index.
  void noteProduct(const Operand &Bound, const Operand &Index,
                   std::map<int64_t, ParameterRole> &Roles) const {
    const uint8_t D = opOf(Index) ? Dimensions[Index.Index] : 0;
    std::vector<int64_t> Factors;
    if (!D || !findFactors(Bound, Factors) || Factors.size() < 2)
      return;
    llvm::sort(Factors);
    for (unsigned I = 0; I < Factors.size(); ++I) {
      ParameterRole &Role = Roles[Factors[I]];
      // A product of more of them, or the first of like ones, decides.
      if (Role.Factors >= Factors.size())
        continue;
      Role.Factors = unsigned(Factors.size());
      Role.FactorNumber = I;
      Role.FactorDimensions = D;
      Role.FactorIndex = Index.Index;
    }
  }

  /// Is \p O a value that a loop carries, or computed from one and constants?
  bool isCounter(const Operand &O) const {
    const Operation *Op = opOf(O);
    while (Op && (passesOn(*Op) || isOfConstant(*Op)))
      Op = opOf(Op->Operands[0]);
    return Op && Op->What == Semantics::Phi;
  }

  /// Is \p Op a value that changes by a constant from iteration to iteration?
  bool isCountedDown(const Operation &Op) const {
    const uint32_t Index = uint32_t(&Op - Facts.Operations.data());
    return Op.What == Semantics::Phi &&
           llvm::any_of(Op.Operands, [&](const Operand &O) {
             const Operation *Next = opOf(O);
             return Next && isOfConstant(*Next) &&
                    Next->Operands[0] == Operand::value(Index);
           });
  }

  /// What is added to the parameter behind \p O, which parameterOf() finds
  /// through constants; nothing if it is masked or divided.
  std::optional<int64_t> addendOf(const Operand &O) const {
    int64_t Sum = 0;
    for (const Operation *Op = opOf(O); Op && Op->What != Semantics::Param;
         Op = opOf(Op->Operands[0])) {
      if (passesOn(*Op))
        continue;
      if (Op->What != Semantics::Add && Op->What != Semantics::Sub)
        return std::nullopt;
      const int64_t Addend = Op->Operands[1].Imm;
      Sum += Op->What == Semantics::Add ? Addend : -Addend;
    }
    return Sum;
  }

  /// The value of the iteration that \p O, what a loop carries into its next
  /// one, was computed in; otherwise \p O.
  Operand enteredWith(const Operand &O) const {
    if (opOf(O))
      for (uint32_t I = 0; I < Facts.Operations.size(); ++I)
        if (Facts.Operations[I].What == Semantics::Phi &&
            Facts.Operations[I].Operands.size() > 1 && isSumWith(O, I) &&
            llvm::is_contained(Facts.Operations[I].Operands, O))
          return Operand::value(I);
    return O;
  }

  /// Is \p O a sum with the phi \p Phi?
  bool isSumWith(const Operand &O, uint32_t Phi) const {
    const Operation *Op = opOf(O);
    return Op && (Op->What == Semantics::Add || Op->What == Semantics::Sub) &&
           llvm::is_contained(Op->Operands, Operand::value(Phi));
  }

  /// Notes that \p Compared, a comparison, bounds an index by operand \p I.
  void noteBound(const Operation &Compared, size_t I,
                 UsesOfParameter &U) const {
    const Operand Index = enteredWith(Compared.Operands[1 - I]);
    const std::optional<int64_t> Addend = addendOf(Compared.Operands[I]);
    if (!opOf(Index) || !Addend)
      return;
    // With the index on the left "less" and its negation are strict.
    switch (Compared.Compare) {
    case ComparePredicate::LTS:
    case ComparePredicate::LTU:
    case ComparePredicate::GES:
    case ComparePredicate::GEU:
      U.Bounded.push_back({Index.Index, *Addend, /*OrEqual=*/I == 0});
      return;
    case ComparePredicate::LES:
    case ComparePredicate::LEU:
    case ComparePredicate::GTS:
    case ComparePredicate::GTU:
      U.Bounded.push_back({Index.Index, *Addend, /*OrEqual=*/I == 1});
      return;
    default:
      return;
    }
  }

  bool isCompared(uint32_t Index) const {
    return llvm::any_of(Facts.Operations, [&](const Operation &Op) {
      return Op.What == Semantics::Compare &&
             llvm::is_contained(Op.Operands, Operand::value(Index));
    });
  }

  /// What operand \p I of \p Op is multiplied by.
  const Operand *factorOf(const Operation &Op, size_t I) const {
    switch (Op.What) {
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return I < 2 ? &Op.Operands[1 - I] : nullptr;
    default:
      return nullptr;
    }
  }

  /// The operations that take the first result of operation \p Index.
  llvm::ArrayRef<uint32_t> usersOf(uint32_t Index) {
    if (Users.empty()) {
      Users.resize(Facts.Operations.size());
      for (uint32_t I = 0; I < Facts.Operations.size(); ++I)
        for (const Operand &O : Facts.Operations[I].Operands)
          if (opOf(O) && O.Result == 0)
            Users[O.Index].push_back(I);
    }
    return Users[Index];
  }

  /// Does a loop go on from \p Start in constant steps, as along a row of a
  /// matrix? One that is unrolled has many places at constant distances.
  bool startsRun(uint32_t Start) {
    constexpr unsigned LeastPlaces = 8;
    llvm::SmallVector<uint32_t, 16> Open = {Start};
    llvm::SmallDenseSet<uint32_t, 16> Seen = {Start};
    while (!Open.empty()) {
      const Operand From = Operand::value(Open.pop_back_val());
      unsigned NumPlaces = 0;
      for (uint32_t I : usersOf(From.Index)) {
        const Operation &Op = Facts.Operations[I];
        NumPlaces += isAtDistance(Op);
        if (isCountedDown(Op) || NumPlaces == LeastPlaces)
          return true;
        if (isPlaceOf(Op, From) && Seen.insert(I).second)
          Open.push_back(I);
      }
    }
    return false;
  }

  /// Does \p Op access or name what lies at a constant distance of an operand?
  static bool isAtDistance(const Operation &Op) {
    return Op.What == Semantics::Load ||
           (Op.What == Semantics::Add && Op.Operands[1].isImmediate());
  }

  /// Is \p Op computed from the element \p From of an array, its place or one
  /// beside it?
  bool isPlaceOf(const Operation &Op, const Operand &From) const {
    switch (Op.What) {
    case Semantics::Add:
    case Semantics::Sub:
      return true;
    case Semantics::Shl:
    case Semantics::Mul:
    case Semantics::MulWideS:
    case Semantics::MulWideU:
      return Op.Operands[1].isImmediate();
    case Semantics::Mad:
    case Semantics::MadWideS:
    case Semantics::MadWideU:
      return Op.Operands[1].isImmediate() || Op.Operands[2] == From;
    default:
      return passesOn(Op);
    }
  }

  /// Notes that operand \p I of \p Op may be a distance of elements or rows.
  void noteFactor(const Operation &Op, size_t I, UsesOfParameter &U) {
    const Operand *Index = factorOf(Op, I);
    if (!Index || !opOf(*Index) || Dimensions[Index->Index] == 0 ||
        isCompared(uint32_t(&Op - Facts.Operations.data())))
      return;
    const bool IsOfNeighbours =
        Dimensions[Index->Index] == 1 && IsVarying(*Index);
    if (IsOfNeighbours && !startsRun(uint32_t(&Op - Facts.Operations.data())))
      U.AsScale = true;
    else
      U.PitchOf = Index->Index;
  }

  void noteUse(const Operation &Op, size_t I) {
    if (passesOn(Op))
      return;
    if (const std::optional<int64_t> Byte =
            parameterOf(Op.Operands[I], false)) {
      bool VaryingPartner = false;
      for (size_t K = 0; K < Op.Operands.size(); ++K)
        VaryingPartner |= K != I && IsVarying(Op.Operands[K]);
      bool IsAddend = Op.What == Semantics::Add || Op.What == Semantics::Sub ||
                      (Op.What == Semantics::Mad && I == 2);
      UsesOfParameter &U = Uses[*Byte];
      U.AsAddend |= IsAddend && VaryingPartner;
      U.Otherwise |= !IsAddend;
      noteFactor(Op, I, U);
      U.AsReal |= isFloatingPoint(Op.What) && Op.What != Semantics::FFromS &&
                  Op.What != Semantics::FFromU;
    }
    if (isOfConstant(Op))
      return;
    const std::optional<int64_t> Byte = parameterOf(Op.Operands[I], true);
    if (!Byte)
      return;
    UsesOfParameter &U = Uses[*Byte];
    if (isCountedDown(Op)) {
      U.AsCount = true;
      return;
    }
    if (Op.What != Semantics::Compare || Op.Operands.size() != 2) {
      U.NotAsCount = true;
      return;
    }
    const Operand &Other = Op.Operands[1 - I];
    const uint8_t D = opOf(Other) ? Dimensions[Other.Index] : 0;
    U.IsCompared = true;
    U.Dimensions |= D;
    if (D != 0)
      noteBound(Op, I, U);
    U.AsCount |= isCounter(Other);
    U.NotAsCount |= D != 0;
  }

  const KernelFacts &Facts;
  llvm::function_ref<bool(const Operand &)> IsVarying;
  std::vector<uint8_t> Dimensions;
  std::map<int64_t, UsesOfParameter> Uses;
  /// By operation; made when it is asked for.
  std::vector<llvm::SmallVector<uint32_t, 2>> Users;
};

} // namespace

std::map<int64_t, ParameterRole> gpuocc::findParameterRoles(
    const KernelFacts &Facts,
    llvm::function_ref<bool(const Operand &)> IsVarying) {
  return RoleFinder(Facts, IsVarying).run();
}
