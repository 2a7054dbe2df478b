//===- LowerMatrix.cpp - Matrix instructions as operations of a warp ------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "Matrix.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"

using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// Replaces one call by a request in memory and a meeting of the warp.
class MatrixLowering {
public:
  explicit MatrixLowering(CallLowering &L) : L(L), B(L.Builder) {}

  Value *multiply(const MatrixForm &Form, ArrayRef<Value *> A,
                  ArrayRef<Value *> OfB, ArrayRef<Value *> C);
  Value *move(WarpOperation Operation, MatrixMove Move, Value *Address,
              ArrayRef<Value *> Registers);
  Value *loadPart(const MatrixForm &Form, MatrixPart P, Value *From,
                  Value *Stride, bool IsColumns);
  Value *storePart(const MatrixForm &Form, Value *To,
                   ArrayRef<Value *> Registers, Value *Stride, bool IsColumns);

private:
  AllocaInst *place(uint64_t Bytes);
  /// \p Values one behind the other.
  Value *inMemory(ArrayRef<Value *> Values);
  uint64_t bytesOf(Type *T) {
    return L.module().getDataLayout().getTypeStoreSize(T);
  }
  /// Where the result goes, and what it is then.
  AllocaInst *resultPlace();
  Value *result(AllocaInst *Place);
  Value *constant(const void *Bytes, size_t Size);
  Value *meet(WarpOperation Operation, const MatrixForm &Form, MatrixMove Move,
              ArrayRef<Value *> Given, Value *Result);

  CallLowering &L;
  IRBuilder<> &B;
};

} // namespace

static SmallVector<Type *, 8> partsOf(Type *T) {
  if (T->isVoidTy())
    return {};
  if (auto *S = dyn_cast<StructType>(T))
    return SmallVector<Type *, 8>(S->elements());
  return {T};
}

AllocaInst *MatrixLowering::place(uint64_t Bytes) {
  BasicBlock &Entry = L.Call.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  AllocaInst *Place = AtEntry.CreateAlloca(
      AtEntry.getInt64Ty(), AtEntry.getInt32(uint32_t(Bytes + 7) / 8));
  Place->setAlignment(Align(8));
  return Place;
}

Value *MatrixLowering::inMemory(ArrayRef<Value *> Values) {
  uint64_t Bytes = 0;
  for (Value *V : Values)
    Bytes += bytesOf(V->getType());
  AllocaInst *Place = place(std::max<uint64_t>(Bytes, 8));
  uint64_t At = 0;
  for (Value *V : Values) {
    B.CreateAlignedStore(
        V, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Place, At), Align(4));
    At += bytesOf(V->getType());
  }
  return Place;
}

AllocaInst *MatrixLowering::resultPlace() {
  uint64_t Bytes = 0;
  for (Type *T : partsOf(L.Call.getType()))
    Bytes += bytesOf(T);
  AllocaInst *Place = place(std::max<uint64_t>(Bytes, 8));
  if (Bytes != 0)
    B.CreateMemSet(Place, B.getInt8(0), Bytes, MaybeAlign(8));
  return Place;
}

Value *MatrixLowering::result(AllocaInst *Place) {
  const SmallVector<Type *, 8> Parts = partsOf(L.Call.getType());
  if (Parts.empty())
    return B.getInt32(0);
  SmallVector<Value *, 8> Values;
  uint64_t At = 0;
  for (Type *T : Parts) {
    Values.push_back(B.CreateAlignedLoad(
        T, B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Place, At), Align(4)));
    At += bytesOf(T);
  }
  if (!L.Call.getType()->isStructTy())
    return Values.front();
  Value *All = PoisonValue::get(L.Call.getType());
  for (auto [I, V] : enumerate(Values))
    All = B.CreateInsertValue(All, V, unsigned(I));
  return All;
}

Value *MatrixLowering::constant(const void *Bytes, size_t Size) {
  Constant *Data = ConstantDataArray::get(
      B.getContext(), ArrayRef(static_cast<const uint8_t *>(Bytes), Size));
  auto *V = new GlobalVariable(L.module(), Data->getType(), /*isConstant=*/true,
                               GlobalValue::PrivateLinkage, Data);
  V->setAlignment(Align(8));
  return V;
}

Value *MatrixLowering::meet(WarpOperation Operation, const MatrixForm &Form,
                            MatrixMove Move, ArrayRef<Value *> Given,
                            Value *Result) {
  L.Found.Stacks = true;
  AllocaInst *Request = place(sizeof(MatrixRequest));
  auto Set = [&](size_t Offset, Value *V) {
    B.CreateStore(V,
                  B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Request, Offset));
  };
  Set(offsetof(MatrixRequest, Form), constant(&Form, sizeof(Form)));
  B.CreateMemCpy(B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Request,
                                              offsetof(MatrixRequest, Move)),
                 MaybeAlign(1), constant(&Move, sizeof(Move)), MaybeAlign(1),
                 sizeof(Move));
  constexpr size_t Offsets[] = {offsetof(MatrixRequest, A),
                                offsetof(MatrixRequest, B),
                                offsetof(MatrixRequest, C)};
  for (auto [Offset, V] : zip(Offsets, Given))
    Set(Offset, V);
  Set(offsetof(MatrixRequest, D), Result);
  return createMeeting(B, L.thread(), uint32_t(Operation), L.Found.NumSites++,
                       {L.number(~0u),
                        B.CreatePtrToInt(Request, B.getInt64Ty()), L.number(0),
                        L.number(0)});
}

Value *MatrixLowering::multiply(const MatrixForm &Form, ArrayRef<Value *> A,
                                ArrayRef<Value *> OfB, ArrayRef<Value *> C) {
  AllocaInst *Result = resultPlace();
  meet(WarpOperation::MatrixMultiply, Form, MatrixMove(),
       {inMemory(A), inMemory(OfB), inMemory(C)}, Result);
  return result(Result);
}

Value *MatrixLowering::move(WarpOperation Operation, MatrixMove Move,
                            Value *Address, ArrayRef<Value *> Registers) {
  AllocaInst *Result = resultPlace();
  SmallVector<Value *, 2> Given;
  if (Address)
    Given.push_back(inMemory(Address->getType()->isPointerTy()
                                 ? B.CreatePtrToInt(Address, B.getInt64Ty())
                                 : B.CreateZExt(Address, B.getInt64Ty())));
  if (!Registers.empty())
    Given.push_back(inMemory(Registers));
  meet(Operation, MatrixForm(), Move, Given, Result);
  return result(Result);
}

Value *MatrixLowering::loadPart(const MatrixForm &Form, MatrixPart P,
                                Value *From, Value *Stride, bool IsColumns) {
  AllocaInst *Result = resultPlace();
  L.callRuntime("gpuoccLoadMatrix", B.getVoidTy(),
                {L.thread(), constant(&Form, sizeof(Form)),
                 L.number(uint32_t(P)),
                 B.CreateAddrSpaceCast(From, B.getPtrTy()), Stride,
                 L.number(IsColumns), Result});
  return result(Result);
}

Value *MatrixLowering::storePart(const MatrixForm &Form, Value *To,
                                 ArrayRef<Value *> Registers, Value *Stride,
                                 bool IsColumns) {
  return L.callRuntime("gpuoccStoreMatrix", B.getVoidTy(),
                       {L.thread(), constant(&Form, sizeof(Form)),
                        inMemory(Registers), Stride, L.number(IsColumns),
                        B.CreateAddrSpaceCast(To, B.getPtrTy())});
}

/// The type that products of \p T are summed up in where the instruction does
/// not say.
static MatrixType sumOf(MatrixType T) {
  switch (T) {
  case MatrixType::S8:
  case MatrixType::U8:
  case MatrixType::S4:
  case MatrixType::U4:
  case MatrixType::B1:
    return MatrixType::S32;
  case MatrixType::F64:
    return MatrixType::F64;
  default:
    return MatrixType::F32;
  }
}

/// Words that change nothing here.
static bool isIdle(StringRef Word) {
  return is_contained({"sync", "aligned", "row", "col", "rn", "popc", "and"},
                      Word);
}

/// Reads "m16n8k16", types and what else stands in the name of a product.
/// \returns false where some word is not known.
static bool parseProduct(ArrayRef<StringRef> Words, MatrixForm &Form,
                         SmallVectorImpl<MatrixType> &Types) {
  for (StringRef Word : Words) {
    if (Word == "satfinite") {
      Form.Saturates = true;
    } else if (Word == "xor") {
      Form.CountsDifferences = true;
    } else if (std::optional<MatrixType> T = matrixType(Word)) {
      Types.push_back(*T);
    } else if (!isIdle(Word) && !parseShape(Word, Form)) {
      return false;
    }
  }
  return Form.M != 0;
}

/// The elements of a lane fill what \p Registers hold.
static bool fills(const MatrixForm &Form, MatrixPart P, MatrixType T,
                  uint64_t Bits) {
  return uint64_t(Form.perLane(P)) * bitsOf(T) == Bits;
}

/// Splits \p All, the registers of A, B and C, and builds the product.
static Value *product(CallLowering &L, MatrixForm Form, ArrayRef<Value *> All,
                      bool IsExact) {
  auto BitsOf = [](ArrayRef<Value *> Values) {
    uint64_t Bits = 0;
    for (Value *V : Values)
      Bits += V->getType()->getPrimitiveSizeInBits();
    return Bits;
  };
  auto Take = [&](MatrixPart P, MatrixType T) {
    const uint64_t Wanted = uint64_t(Form.perLane(P)) * bitsOf(T);
    size_t Count = 0;
    while (Count != All.size() && BitsOf(All.take_front(Count)) < Wanted)
      ++Count;
    // Fragments of halves have each element twice.
    if (!IsExact && P != MatrixPart::Sum && T == MatrixType::F16)
      Count = 8;
    ArrayRef<Value *> Taken = All.take_front(Count);
    All = All.drop_front(std::min(Count, All.size()));
    return Taken;
  };
  const ArrayRef<Value *> A = Take(MatrixPart::A, Form.A);
  const ArrayRef<Value *> OfB = Take(MatrixPart::B, Form.B);
  const ArrayRef<Value *> C = Take(MatrixPart::Sum, Form.C);
  if (!All.empty() || !fills(Form, MatrixPart::Sum, Form.C, BitsOf(C)) ||
      (IsExact && (!fills(Form, MatrixPart::A, Form.A, BitsOf(A)) ||
                   !fills(Form, MatrixPart::B, Form.B, BitsOf(OfB)))))
    return nullptr;
  // Pairs of four lanes take part in products of 4 x 8 halves on old devices.
  if (IsExact && Form.M != 16 && Form.A == MatrixType::F16)
    return nullptr;
  return MatrixLowering(L).multiply(Form, A, OfB, C);
}

static SmallVector<StringRef, 12> wordsOf(StringRef Name) {
  SmallVector<StringRef, 12> Words;
  Name.split(Words, '.');
  return Words;
}

/// "llvm.nvvm.mma.SHAPE..." and "llvm.nvvm.wmma.SHAPE.mma...", without what is
/// before the shape.
static Value *lowerProduct(CallLowering &L, ArrayRef<StringRef> Words,
                           bool IsOpaque) {
  MatrixForm Form;
  Form.IsOpaque = IsOpaque;
  SmallVector<MatrixType, 4> Types;
  if (!parseProduct(Words, Form, Types) || Types.empty() || Types.size() > 2)
    return nullptr;
  const bool IsOfHalves = Types.size() == 2 && (Types[0] == MatrixType::F16 ||
                                                Types[0] == MatrixType::F32);
  if (IsOfHalves) {
    Form.D = Types[0];
    Form.C = Types[1];
  } else {
    Form.A = Types.front();
    Form.B = Types.back();
    Form.C = Form.D = sumOf(Form.A);
  }
  return product(L, Form, SmallVector<Value *, 24>(L.Call.args()), !IsOpaque);
}

/// "SHAPE.load.a.row.stride.f16.p0" and "SHAPE.store.d.row.stride.f32.p0".
static Value *lowerTransfer(CallLowering &L, ArrayRef<StringRef> Words) {
  MatrixForm Form;
  Form.IsOpaque = true;
  const bool HasStride = is_contained(Words, "stride");
  if (Words.size() < 6 || !parseShape(Words[0], Form))
    return nullptr;
  const std::optional<MatrixType> T = matrixType(Words[HasStride ? 5 : 4]);
  if (!T)
    return nullptr;
  Form.A = Form.B = Form.C = Form.D = *T;
  const MatrixPart P = Words[2] == "a"   ? MatrixPart::A
                       : Words[2] == "b" ? MatrixPart::B
                                         : MatrixPart::Sum;
  const bool IsColumns = Words[3] == "col";
  Value *Stride = HasStride
                      ? L.operand(L.Call.arg_size() - 1)
                      : L.number(IsColumns ? Form.rows(P) : Form.columns(P));
  MatrixLowering Lowering(L);
  if (Words[1] == "load")
    return Lowering.loadPart(Form, P, L.operand(0), Stride, IsColumns);
  SmallVector<Value *, 8> Registers(L.Call.args());
  return Lowering.storePart(
      Form, L.operand(0),
      ArrayRef<Value *>(Registers).drop_front().drop_back(HasStride), Stride,
      IsColumns);
}

/// What "m8n8.x4.trans" says; nothing where it is of another shape.
static std::optional<MatrixMove> parseMove(ArrayRef<StringRef> Words) {
  MatrixMove Move;
  if (!is_contained(Words, "m8n8") || !is_contained(Words, "b16"))
    return std::nullopt;
  Move.Count = is_contained(Words, "x4")   ? 4
               : is_contained(Words, "x2") ? 2
                                           : 1;
  Move.IsTransposed = is_contained(Words, "trans");
  return Move;
}

Value *gpuocc::execute::lowerMatrix(CallLowering &L, StringRef Name) {
  if (!Name.consume_front("llvm.nvvm."))
    return nullptr;
  const SmallVector<StringRef, 12> Words = wordsOf(Name);
  const ArrayRef<StringRef> Rest = ArrayRef(Words).drop_front();
  if (Words[0] == "mma")
    return lowerProduct(L, Rest, /*IsOpaque=*/false);
  if (Words[0] == "wmma" && Rest.size() > 1) {
    if (Rest[1] != "mma")
      return lowerTransfer(L, Rest);
    SmallVector<StringRef, 12> OfProduct(Rest);
    OfProduct.erase(OfProduct.begin() + 1);
    return lowerProduct(L, OfProduct, /*IsOpaque=*/true);
  }
  const std::optional<MatrixMove> Move = parseMove(Rest);
  if (!Move)
    return nullptr;
  SmallVector<Value *, 5> Given(L.Call.args());
  if (Words[0] == "ldmatrix")
    return MatrixLowering(L).move(WarpOperation::MatrixLoad, *Move, Given[0],
                                  {});
  if (Words[0] == "stmatrix")
    return MatrixLowering(L).move(WarpOperation::MatrixStore, *Move, Given[0],
                                  ArrayRef<Value *>(Given).drop_front());
  return nullptr;
}

namespace {

/// The operands of an instruction as inline assembly has them.
class AssemblyOperands {
public:
  explicit AssemblyOperands(CallLowering &L) : L(L) {
    const auto &Assembly = *cast<InlineAsm>(L.Call.getCalledOperand());
    unsigned Given = 0;
    for (const InlineAsm::ConstraintInfo &C : Assembly.ParseConstraints()) {
      if (C.Type == InlineAsm::isClobber)
        continue;
      if (C.Type == InlineAsm::isOutput) {
        Values.push_back(nullptr);
        continue;
      }
      Value *V = L.operand(Given++);
      unsigned Tied = 0;
      if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied) &&
          Tied < Values.size())
        Values[Tied] = V;
      Values.push_back(V);
    }
  }

  /// The values of "{$4,$5}, [$6]", in order; empty where one has none.
  SmallVector<Value *, 24> read(StringRef Text) const {
    SmallVector<Value *, 24> Read;
    SmallVector<StringRef, 24> Parts;
    Text.split(Parts, ',');
    for (StringRef Part : Parts) {
      Value *V = valueOf(Part.trim(" \t\n{}[];"));
      if (!V)
        return {};
      Read.push_back(V);
    }
    return Read;
  }

private:
  Value *valueOf(StringRef Word) const {
    unsigned I = 0;
    if (Word.consume_front("$"))
      return Word.getAsInteger(10, I) || I >= Values.size() ? nullptr
                                                            : Values[I];
    int64_t Number = 0;
    return Word.getAsInteger(0, Number) ? nullptr
                                        : L.Builder.getInt32(uint32_t(Number));
  }

  CallLowering &L;
  SmallVector<Value *, 24> Values;
};

} // namespace

/// What stands behind the first operand, which is in braces or not.
static StringRef behindFirst(StringRef Operands) {
  Operands = Operands.trim();
  return Operands.starts_with("{") ? Operands.split('}').second.trim(" \t,")
                                   : Operands.split(',').second.trim();
}

Value *gpuocc::execute::lowerMatrixInstruction(CallLowering &L,
                                               StringRef Text) {
  Text = Text.trim();
  auto [Mnemonic, Operands] = Text.split(' ');
  const SmallVector<StringRef, 12> Words = wordsOf(Mnemonic);
  const ArrayRef<StringRef> Rest = ArrayRef(Words).drop_front();
  const AssemblyOperands Given(L);
  if (Words[0] == "mma") {
    MatrixForm Form;
    SmallVector<MatrixType, 4> Types;
    if (!parseProduct(Rest, Form, Types) || Types.size() != 4)
      return nullptr;
    Form.D = Types[0];
    Form.A = Types[1];
    Form.B = Types[2];
    Form.C = Types[3];
    return product(L, Form, Given.read(behindFirst(Operands)),
                   /*IsExact=*/true);
  }
  if (Words[0] == "movmatrix") {
    const SmallVector<Value *, 24> From = Given.read(behindFirst(Operands));
    return From.size() == 1
               ? MatrixLowering(L).move(WarpOperation::MatrixTranspose,
                                        MatrixMove(), nullptr, From)
               : nullptr;
  }
  const std::optional<MatrixMove> Move = parseMove(Rest);
  if (!Move)
    return nullptr;
  if (Words[0] == "ldmatrix") {
    const SmallVector<Value *, 24> From = Given.read(behindFirst(Operands));
    return From.size() == 1 ? MatrixLowering(L).move(WarpOperation::MatrixLoad,
                                                     *Move, From[0], {})
                            : nullptr;
  }
  if (Words[0] == "stmatrix") {
    const SmallVector<Value *, 24> All = Given.read(Operands);
    return All.size() == 1u + Move->Count
               ? MatrixLowering(L).move(WarpOperation::MatrixStore, *Move,
                                        All[0],
                                        ArrayRef<Value *>(All).drop_front())
               : nullptr;
  }
  return nullptr;
}
