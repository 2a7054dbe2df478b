//===- LowerTextures.cpp - Instructions of textures and surfaces ----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace gpuocc::execute;
using namespace llvm;

namespace {

/// "tex.a2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, $7}]" and the like:
/// the call's arguments are the object, its coordinates, and what is stored.
class TextureInstruction {
public:
  TextureInstruction(CallLowering &L, StringRef Text) : L(L), B(L.Builder) {
    Text.trim().split(' ').first.split(Words, '.');
  }

  Value *lower();

private:
  bool has(StringRef Word) const { return is_contained(Words, Word); }
  /// Reads the dimensions that the mnemonic names; false where it names none
  /// that can be run.
  bool readForm();
  /// Room for \p Count words at the entry of the function.
  Value *room(unsigned Count);
  void store(Value *Room, unsigned Index, Value *V);
  /// The coordinates as three words (x, y, z or layer).
  Value *coordinates();
  Value *resultFrom(Value *Room, unsigned WordsEach);
  Value *texture();
  Value *surface(bool IsStore);

  CallLowering &L;
  IRBuilder<> &B;
  SmallVector<StringRef, 8> Words;
  unsigned Dimensions = 0, NumCoordinates = 0;
  bool IsLayered = false;
};

} // namespace

bool TextureInstruction::readForm() {
  struct Row {
    StringLiteral Word;
    unsigned Dimensions, NumCoordinates;
    bool IsLayered;
  };
  static constexpr Row Rows[] = {{"1d", 1, 1, false},
                                 {"2d", 2, 2, false},
                                 {"3d", 3, 4, false},
                                 {"a1d", 1, 2, true},
                                 {"a2d", 2, 4, true}};
  for (const Row &R : Rows)
    if (has(R.Word)) {
      Dimensions = R.Dimensions;
      NumCoordinates = R.NumCoordinates;
      IsLayered = R.IsLayered;
      return L.Call.arg_size() > NumCoordinates;
    }
  return false;
}

Value *TextureInstruction::room(unsigned Count) {
  BasicBlock &Entry = L.Call.getFunction()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  AllocaInst *Room =
      AtEntry.CreateAlloca(ArrayType::get(AtEntry.getInt32Ty(), Count));
  Room->setAlignment(Align(16));
  return Room;
}

void TextureInstruction::store(Value *Room, unsigned Index, Value *V) {
  B.CreateStore(V, B.CreateConstInBoundsGEP1_32(B.getInt32Ty(), Room, Index));
}

Value *TextureInstruction::coordinates() {
  Value *Room = room(3);
  const unsigned First = IsLayered ? 2 : 1;
  Type *T = L.operand(First)->getType();
  for (unsigned D = 0; D != 3; ++D) {
    Value *V =
        D < Dimensions ? L.operand(First + D) : Constant::getNullValue(T);
    if (IsLayered && D == 2)
      V = T->isFloatTy() ? B.CreateUIToFP(L.operand(1), T) : L.operand(1);
    store(Room, D, V);
  }
  return Room;
}

Value *TextureInstruction::resultFrom(Value *Room, unsigned BytesEach) {
  Type *T = L.Call.getType();
  auto Load = [&](Type *Element, unsigned Index) -> Value * {
    Type *InMemory = B.getIntNTy(BytesEach * 8);
    Value *V = B.CreateAlignedLoad(
        InMemory,
        B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Room, Index * BytesEach),
        Align(BytesEach));
    if (Element->getPrimitiveSizeInBits() > BytesEach * 8)
      V = B.CreateZExt(V, B.getIntNTy(Element->getPrimitiveSizeInBits()));
    return B.CreateBitCast(V, Element);
  };
  auto *S = dyn_cast<StructType>(T);
  if (!S)
    return Load(T, 0);
  Value *All = PoisonValue::get(T);
  for (unsigned I = 0; I != S->getNumElements(); ++I)
    All = B.CreateInsertValue(All, Load(S->getElementType(I), I), I);
  return All;
}

Value *TextureInstruction::texture() {
  if (!has("v4") || Words.size() < 4 ||
      (Words.back() != "f32" && Words.back() != "s32"))
    return nullptr;
  Value *Out = room(4);
  L.callRuntime("gpuoccTexture", B.getVoidTy(),
                {L.operand(0), L.number(Dimensions), L.number(IsLayered),
                 L.number(Words.back() == "s32"),
                 L.number(Words[Words.size() - 2] == "f32"), coordinates(),
                 Out});
  return resultFrom(Out, 4);
}

/// "suld.b.2d.v2.b32.trap {$0, $1}, [$2, {$3, $4}]" and "sust.b.2d.b32.trap
/// [$0, {$1, $2}], {$3}": x counts bytes.
Value *TextureInstruction::surface(bool IsStore) {
  unsigned Bits = 0;
  for (StringRef Word : drop_begin(Words, 2))
    if (Word.consume_front("b"))
      Word.getAsInteger(10, Bits);
  const unsigned Number = has("v4") ? 4 : has("v2") ? 2 : 1;
  if (!has("b") || Bits == 0)
    return nullptr;
  const unsigned Bytes = Bits / 8 * Number;
  Value *Room = room(8);
  if (IsStore)
    for (unsigned I = 0; I != Number; ++I) {
      Value *V = L.operand(1 + NumCoordinates + I);
      V = B.CreateBitCast(V,
                          B.getIntNTy(V->getType()->getPrimitiveSizeInBits()));
      B.CreateAlignedStore(
          B.CreateTrunc(V, B.getIntNTy(Bits)),
          B.CreateConstInBoundsGEP1_32(B.getInt8Ty(), Room, I * Bits / 8),
          Align(Bits / 8));
    }
  Value *Done = L.callRuntime(
      IsStore ? "gpuoccStoreSurface" : "gpuoccLoadSurface", B.getInt32Ty(),
      {L.operand(0), coordinates(), Room, L.number(Bytes)});
  return IsStore ? Done : resultFrom(Room, Bits / 8);
}

Value *TextureInstruction::lower() {
  const StringRef Name = Words.front();
  if ((Name != "tex" && Name != "suld" && Name != "sust") || !readForm())
    return nullptr;
  L.Found.Effects = RunEffects::Others;
  return Name == "tex" ? texture() : surface(Name == "sust");
}

Value *gpuocc::execute::lowerTexture(CallLowering &L, StringRef Text) {
  return TextureInstruction(L, Text).lower();
}
