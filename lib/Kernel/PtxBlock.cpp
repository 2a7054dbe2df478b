//===- PtxBlock.cpp - Reads the steps of a text of PTX --------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gpuocc;
using namespace llvm;

bool PtxBlock::isLifted() const {
  return any_of(Statements,
                [](const PtxBlockStatement &S) { return S.IsLifted; });
}

StringRef gpuocc::whyOpaquePtx(StringRef Mnemonic) {
  static constexpr std::pair<StringLiteral, StringLiteral> Rows[] = {
#define OPAQUE_PTX(Word, Why) {Word, Why},
#include "OpaquePtx.def"
  };
  SmallVector<StringRef, 8> Words;
  Mnemonic.split(Words, '.', -1, /*KeepEmpty=*/false);
  for (const auto &[Word, Why] : Rows)
    if (is_contained(Words, Word))
      return Why;
  return StringRef();
}

/// What writes \p Word; null when nothing does.
static PtxLiftFunction liftInstruction(StringRef Word) {
  for (ArrayRef<PtxLiftRow> Family :
       {ptxIntegerRows(), ptxBitRows(), ptxCompareRows(), ptxConvertRows(),
        ptxFloatRows(), ptxVideoRows(), ptxWarpRows(), ptxClusterRows()})
    for (const PtxLiftRow &R : Family)
      if (R.Word == Word)
        return R.Write;
  return nullptr;
}

bool gpuocc::isEvaluatedPtx(StringRef Word) { return liftInstruction(Word); }

/// "cvt.f32.bf16" takes few steps, and what is divided or compared is often
/// made of halves that arrays hold.
static bool widensHalf(ArrayRef<StringRef> Words) {
  return Words.size() >= 3 && Words.front() == "cvt" &&
         Words[Words.size() - 2] == "f32" &&
         is_contained({"f16", "bf16"}, Words.back());
}

static bool isOnHalves(ArrayRef<StringRef> Words) {
  return !widensHalf(Words) && any_of(Words, [](StringRef Word) {
    const PtxWordType T = ptxWordType(Word);
    return T.isFloat() && T.Bits != 0 && T.Bits <= 16;
  });
}

/// Writes the steps of \p W; without a trace where it has no meaning.
static bool writeLifted(PtxWriter &W, PtxBlock &To, PtxNumbers Which) {
  if (W.Words.empty() ||
      (Which == PtxNumbers::WithoutHalves && isOnHalves(W.Words)))
    return false;
  const PtxLiftFunction Write = liftInstruction(W.Words.front());
  const size_t Before = To.Steps.size();
  const PtxRef Carry = W.Carry;
  if (Write && Write(W) && W.Results.size() >= W.NumResults)
    return true;
  To.Steps.resize(Before);
  W.Results.clear();
  W.Carry = Carry;
  return false;
}

static constexpr StringLiteral Space = " \t\n\r";

/// First words of instructions that write no register although one may come
/// first.
static constexpr StringLiteral WithoutResult[] = {
    "bar",   "barrier", "nanosleep", "setmaxnreg",   "griddepcontrol",
    "wgmma", "pmevent", "fence",     "membar",       "st",
    "red",   "cp",      "tcgen05",   "prefetch",     "trap",
    "brkpt", "exit",    "discard",   "applypriority"};

static constexpr StringLiteral Jumps[] = {"bra", "brx", "call", "ret"};

namespace {

/// Reads the statements one by one and keeps what each name holds.
class BlockReader {
public:
  explicit BlockReader(PtxNumbers Which) : Which(Which) {}

  PtxBlock read(StringRef Text) {
    SmallVector<StringRef, 8> Pieces;
    Text.split(Pieces, ';', -1, /*KeepEmpty=*/false);
    Jumping = any_of(Pieces, isJump);
    for (StringRef Piece : Pieces) {
      Block.Statements.push_back({Piece, std::nullopt, false});
      readStatement(Piece);
    }
    for (const auto &[Name, Ref] : Values) {
      unsigned Index = 0;
      if (StringRef Digits = Name;
          Digits.consume_front("$") && !Digits.getAsInteger(10, Index))
        Block.Results.push_back({Index, Ref});
    }
    sort(Block.Results,
         [](const auto &A, const auto &B) { return A.first < B.first; });
    return std::move(Block);
  }

private:
  /// \p Piece without what stands before the instruction.
  static StringRef withoutHead(StringRef Piece) {
    Piece = Piece.ltrim(" \t\n\r{}");
    while (Piece.starts_with("//"))
      Piece = Piece.split('\n').second.ltrim(" \t\n\r{}");
    return Piece;
  }

  static bool isJump(StringRef Piece) {
    StringRef Rest = withoutHead(Piece);
    const size_t Colon = Rest.find(':');
    if (Colon != StringRef::npos && !Rest.substr(Colon).starts_with("::") &&
        Colon < Rest.find_first_of(Space))
      return true;
    if (Rest.starts_with("@"))
      Rest = Rest.substr(Rest.find_first_of(Space)).ltrim(Space);
    return is_contained(Jumps, Rest.split('.').first.rtrim(Space));
  }

  /// What comments before the statement say of the carry.
  void readComments(StringRef Piece) {
    SmallVector<StringRef, 4> Lines;
    Piece.split(Lines, '\n');
    for (StringRef Line : Lines) {
      Line = Line.trim(" \t\r{}");
      if (!Line.consume_front("//"))
        continue;
      auto [To, From] = Line.split('=');
      if (To.trim() == "carry" && From.trim().starts_with("$"))
        Carry = valueOf(From.trim());
      else if (From.trim() == "carry" && To.trim().starts_with("$"))
        Values[To.trim()] = asStep(Carry);
    }
  }

  /// \p Ref as a step: results are those of operations.
  PtxRef asStep(PtxRef Ref) {
    if (Ref.isStep())
      return Ref;
    PtxWriter W(Block, uint32_t(Block.Statements.size()) - 1);
    return Ref.K == PtxRef::Kind::Unknown ? W.op(Semantics::Opaque, 32, {})
                                          : W.op(Semantics::Copy, 64, {Ref});
  }

  /// What the name \p Name holds.
  PtxRef valueOf(StringRef Name) {
    if (auto It = Values.find(Name); It != Values.end())
      return It->second;
    unsigned Index = 0;
    if (StringRef Digits = Name;
        Digits.consume_front("$") && !Digits.getAsInteger(10, Index))
      return PtxRef::argument(Index);
    return special(Name);
  }

  PtxRef special(StringRef Name) {
    static constexpr std::pair<StringLiteral, SpecialReg> Registers[] = {
        {"%laneid", SpecialReg::LaneId},
        {"%lanemask_eq", SpecialReg::LaneMaskEq},
        {"%lanemask_lt", SpecialReg::LaneMaskLt},
        {"%lanemask_le", SpecialReg::LaneMaskLe},
        {"%lanemask_gt", SpecialReg::LaneMaskGt},
        {"%lanemask_ge", SpecialReg::LaneMaskGe},
        {"%warpid", SpecialReg::WarpId},
        {"%dynamic_smem_size", SpecialReg::DynamicSharedBytes},
        {"%tid.x", SpecialReg::TidX},
        {"%tid.y", SpecialReg::TidY},
        {"%tid.z", SpecialReg::TidZ},
        {"%ntid.x", SpecialReg::NTidX},
        {"%ntid.y", SpecialReg::NTidY},
        {"%ntid.z", SpecialReg::NTidZ},
        {"%ctaid.x", SpecialReg::CtaIdX},
        {"%ctaid.y", SpecialReg::CtaIdY},
        {"%ctaid.z", SpecialReg::CtaIdZ},
        {"%nctaid.x", SpecialReg::NCtaIdX},
        {"%nctaid.y", SpecialReg::NCtaIdY},
        {"%nctaid.z", SpecialReg::NCtaIdZ},
        {"%cluster_ctaid.x", SpecialReg::ClusterCtaIdX},
        {"%cluster_ctaid.y", SpecialReg::ClusterCtaIdY},
        {"%cluster_ctaid.z", SpecialReg::ClusterCtaIdZ},
        {"%cluster_nctaid.x", SpecialReg::ClusterNCtaIdX},
        {"%cluster_nctaid.y", SpecialReg::ClusterNCtaIdY},
        {"%cluster_nctaid.z", SpecialReg::ClusterNCtaIdZ},
        {"%clusterid.x", SpecialReg::ClusterIdX},
        {"%clusterid.y", SpecialReg::ClusterIdY},
        {"%clusterid.z", SpecialReg::ClusterIdZ},
        {"%nclusterid.x", SpecialReg::NClusterIdX},
        {"%nclusterid.y", SpecialReg::NClusterIdY},
        {"%nclusterid.z", SpecialReg::NClusterIdZ},
        {"%cluster_ctarank", SpecialReg::ClusterCtaRank},
        {"%cluster_nctarank", SpecialReg::ClusterNCtaRank}};
    for (const auto &[Text, Register] : Registers)
      if (Name == Text) {
        PtxWriter W(Block, uint32_t(Block.Statements.size()) - 1);
        return W.special(Register);
      }
    return PtxRef();
  }

  /// A number at the begin of \p Rest, which is then what follows it.
  static std::optional<int64_t> takeNumber(StringRef &Rest) {
    StringRef Text =
        Rest.take_while([](char C) { return isAlnum(C) || C == '_'; });
    Rest = Rest.drop_front(Text.size());
    uint64_t Value = 0;
    if (Text.size() > 2 && (Text.starts_with("0f") || Text.starts_with("0F") ||
                            Text.starts_with("0d") || Text.starts_with("0D")))
      return Text.drop_front(2).getAsInteger(16, Value)
                 ? std::nullopt
                 : std::optional<int64_t>(int64_t(Value));
    Text = Text.rtrim("uU");
    return Text.getAsInteger(0, Value) ? std::nullopt
                                       : std::optional<int64_t>(int64_t(Value));
  }

  /// The operand at the begin of \p Rest, which is then what follows it.
  PtxArgument takeArgument(StringRef &Rest, bool IsResult) {
    PtxArgument A;
    Rest = Rest.ltrim(Space);
    // Vectors and addresses hold none.
    constexpr unsigned Deepest = 2;
    const SaveAndRestore Deeper(Depth, Depth + 1);
    if (Depth > Deepest) {
      Rest = StringRef();
      return A;
    }
    const bool IsOpposite = Rest.consume_front("!");
    A.IsNegative = Rest.consume_front("-");
    Rest = Rest.ltrim(Space);
    if (Rest.consume_front("{")) {
      A.IsVector = true;
      takeList(Rest, A.Elements, IsResult);
      Rest.consume_front("}");
      return A;
    }
    if (Rest.starts_with("[")) {
      const size_t End = std::min(Rest.find(']'), Rest.size() - 1);
      A.Value = addressIn(Rest.slice(1, End));
      Rest = Rest.drop_front(End + 1);
      return A;
    }
    if (!Rest.empty() && isDigit(Rest.front())) {
      if (std::optional<int64_t> N = takeNumber(Rest))
        A.Value = PtxRef::number(A.IsNegative ? -*N : *N);
      A.IsNegative = false;
      return A;
    }
    StringRef Name = Rest.take_while([](char C) {
      return isAlnum(C) || C == '_' || C == '$' || C == '%' || C == '.';
    });
    Rest = Rest.drop_front(Name.size());
    // "$1.b0", "%tid.x".
    if (const size_t Dot = Name.rfind('.');
        Dot != StringRef::npos && isPart(Name.substr(Dot + 1))) {
      A.Part = Name.substr(Dot + 1);
      Name = Name.substr(0, Dot);
    }
    A.Name = Name;
    if (!IsResult)
      A.Value = valueOf(Name);
    if (IsOpposite) {
      PtxWriter W(Block, uint32_t(Block.Statements.size()) - 1);
      A.Value = W.bitNot(1, A.Value);
    }
    return A;
  }

  static bool isPart(StringRef Text) {
    return Text.size() >= 2 && (Text[0] == 'b' || Text[0] == 'h') &&
           all_of(Text.drop_front(), isDigit);
  }

  /// What the address \p Text, without its brackets, is made of.
  PtxRef addressIn(StringRef Text) {
    StringRef Rest = Text;
    return takeArgument(Rest, /*IsResult=*/false).Value;
  }

  void takeList(StringRef &Rest, std::vector<PtxArgument> &To, bool IsResult) {
    do {
      To.push_back(takeArgument(Rest, IsResult));
      Rest = Rest.ltrim(Space);
    } while (Rest.consume_front(","));
  }

  void readStatement(StringRef Piece) {
    readComments(Piece);
    StringRef Rest = withoutHead(Piece);
    std::optional<PtxRef> Guard;
    if (Rest.consume_front("@")) {
      const bool IsOpposite = Rest.consume_front("!");
      const StringRef Name = Rest.substr(0, Rest.find_first_of(Space));
      Rest = Rest.drop_front(Name.size()).ltrim(Space);
      Guard = valueOf(Name);
      if (IsOpposite) {
        PtxWriter W(Block, uint32_t(Block.Statements.size()) - 1);
        Guard = W.bitNot(1, *Guard);
      }
    }
    const StringRef Mnemonic = Rest.substr(0, Rest.find_first_of(Space));
    if (Mnemonic.empty() || Mnemonic.starts_with("."))
      return;
    Rest = Rest.drop_front(Mnemonic.size());
    lift(Mnemonic, Rest, Guard);
  }

  void lift(StringRef Mnemonic, StringRef Rest, std::optional<PtxRef> Guard) {
    const uint32_t Index = uint32_t(Block.Statements.size()) - 1;
    PtxWriter W(Block, Index);
    Mnemonic.split(W.Words, '.', -1, /*KeepEmpty=*/false);
    if (W.Words.empty())
      return;
    // Results first: a name, "a|b", or "{a, b}".
    std::vector<PtxArgument> Written, Read;
    Rest = Rest.ltrim(Space);
    if (!is_contained(WithoutResult, W.Words.front()) &&
        !Rest.starts_with("[")) {
      Written.push_back(takeArgument(Rest, /*IsResult=*/true));
      Rest = Rest.ltrim(Space);
      if (Rest.consume_front("|")) {
        Written.push_back(takeArgument(Rest, /*IsResult=*/true));
        Rest = Rest.ltrim(Space);
      } else if (Written.front().IsVector) {
        std::vector<PtxArgument> Elements = std::move(Written.front().Elements);
        Written = std::move(Elements);
      }
      W.ResultPart = Written.empty() ? StringRef() : Written.front().Part;
    }
    if (Written.empty() || Rest.consume_front(","))
      if (!Rest.trim(" \t\n\r}").empty())
        takeList(Rest, Read, /*IsResult=*/false);
    W.Operands = Read;
    W.NumResults = unsigned(Written.size());
    W.Carry = Carry;
    const uint32_t First = uint32_t(Block.Steps.size());
    const bool IsLifted =
        !Jumping && !Written.empty() && writeLifted(W, Block, Which);
    Carry = W.Carry;
    for (size_t I = 0; I != Written.size(); ++I) {
      PtxRef R = IsLifted ? W.Results[I] : opaqueOf(W, Read);
      if (I == 0 && R.isStep() && R.Index >= First)
        Block.Statements[Index].Principal = R.Index;
      if (Guard) {
        const PtxRef Before = valueOf(Written[I].Name);
        if (Before.K != PtxRef::Kind::Unknown)
          R = W.select(64, *Guard, R, Before);
      }
      Values[Written[I].Name] = asStep(R);
    }
    Block.Statements[Index].IsLifted = IsLifted;
  }

  static PtxRef opaqueOf(PtxWriter &W, ArrayRef<PtxArgument> Read) {
    SmallVector<PtxRef, 4> Operands;
    for (const PtxArgument &A : Read) {
      if (!A.IsVector)
        Operands.push_back(A.Value);
      for (const PtxArgument &E : A.Elements)
        Operands.push_back(E.Value);
    }
    return W.op(Semantics::Opaque, 64, Operands);
  }

  const PtxNumbers Which;
  PtxBlock Block;
  StringMap<PtxRef> Values;
  PtxRef Carry;
  bool Jumping = false;
  unsigned Depth = 0;
};

} // namespace

PtxBlock gpuocc::readPtxBlock(StringRef Text, PtxNumbers Which) {
  return BlockReader(Which).read(Text);
}

std::optional<PtxBlock> gpuocc::liftPtxText(StringRef Mnemonic,
                                            unsigned NumResults,
                                            unsigned NumOperands,
                                            PtxNumbers Which) {
  PtxBlock Block;
  PtxWriter W(Block, 0);
  Mnemonic.split(W.Words, '.', -1, /*KeepEmpty=*/false);
  std::vector<PtxArgument> Operands(NumOperands);
  for (auto [I, A] : enumerate(Operands))
    A.Value = PtxRef::argument(uint32_t(NumResults + I));
  W.Operands = Operands;
  W.NumResults = NumResults;
  if (!writeLifted(W, Block, Which))
    return std::nullopt;
  Block.Statements.push_back({Mnemonic, std::nullopt, true});
  for (unsigned I = 0; I != NumResults; ++I) {
    PtxRef R = W.Results[I];
    if (!R.isStep())
      R = W.op(Semantics::Copy, 64, {R});
    Block.Results.push_back({I, R});
  }
  Block.Statements.front().Principal = Block.Results.front().second.Index;
  return Block;
}
