//===- ConvertLikePtxasTest.cpp - Integers to floats where they lie -------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LikePtxas.h"
#include "gpuocc/Support/InstClasses.h"
#include "gtest/gtest.h"

using namespace gpuocc;

namespace {

/// A load of \p Bytes, operations on it, and a conversion to float.
class Chain {
public:
  explicit Chain(unsigned Bytes) {
    Facts.Blocks.emplace_back();
    add(Semantics::Load, InstClass::LdGlobal);
    Facts.Operations[0].Access = 0;
    Facts.Accesses.emplace_back().BytesPerLane = Bytes;
  }

  /// \p What of the operation before and of immediates.
  Chain &then(Semantics What, InstClass Class, unsigned Bits, unsigned FromBits,
              std::initializer_list<int64_t> Immediates = {}) {
    add(What, Class);
    Operation &Op = Facts.Operations.back();
    Op.Bits = Bits;
    Op.FromBits = FromBits;
    Op.Operands.push_back(Operand::value(Facts.Operations.size() - 2));
    for (int64_t I : Immediates)
      Op.Operands.push_back(Operand::immediate(I));
    return *this;
  }

  /// Classes of what is left behind the load.
  std::vector<InstClass> converted(Semantics How, unsigned FromBits) {
    then(How, InstClass::CvtI2F, 32, FromBits);
    convertPartsLikePtxas(Facts);
    std::vector<InstClass> Left;
    for (const Operation &Op : Facts.Operations)
      for (const Emission &E : Op.Emits)
        if (E.Class != InstClass::LdGlobal)
          Left.push_back(E.Class);
    return Left;
  }

  KernelFacts Facts;

private:
  void add(Semantics What, InstClass Class) {
    Operation Op;
    Op.What = What;
    Op.Emits.push_back({Class, 1, 1});
    Op.Block = 0;
    ++Facts.Blocks[0].NumOps;
    Facts.Operations.push_back(Op);
  }
};

using Classes = std::vector<InstClass>;

TEST(ConvertLikePtxas, SignedBytesConvertWhereTheyLie) {
  EXPECT_EQ(Chain(4)
                .then(Semantics::Prmt, InstClass::Prmt, 32, 0, {0, 0x7771})
                .then(Semantics::SExt, InstClass::Prmt, 16, 8)
                .converted(Semantics::FFromS, 16),
            Classes{InstClass::CvtF2I});
}

TEST(ConvertLikePtxas, UnsignedBytesAreTakenOutFirst) {
  EXPECT_EQ(Chain(4)
                .then(Semantics::Prmt, InstClass::Prmt, 32, 0, {0, 0x7771})
                .converted(Semantics::FFromU, 16),
            (Classes{InstClass::Prmt, InstClass::CvtI2F}));
}

TEST(ConvertLikePtxas, WhatIsLoadedWithZerosAboveIsAWholeRegister) {
  EXPECT_EQ(Chain(1).converted(Semantics::FFromU, 16),
            Classes{InstClass::CvtI2F});
  EXPECT_EQ(Chain(4).converted(Semantics::FFromU, 16),
            Classes{InstClass::CvtF2I});
  EXPECT_EQ(Chain(1).converted(Semantics::FFromS, 16),
            Classes{InstClass::CvtF2I});
}

TEST(ConvertLikePtxas, AlignedFieldsOfWordsConvertWhereTheyLie) {
  EXPECT_EQ(Chain(4)
                .then(Semantics::BfeS, InstClass::Sgxt, 32, 0, {8, 8})
                .converted(Semantics::FFromS, 32),
            Classes{InstClass::CvtF2I});
  EXPECT_EQ(Chain(4)
                .then(Semantics::BfeS, InstClass::Sgxt, 32, 0, {8, 4})
                .converted(Semantics::FFromS, 32),
            (Classes{InstClass::Sgxt, InstClass::CvtI2F}));
  EXPECT_EQ(Chain(4)
                .then(Semantics::ShrU, InstClass::Shf, 32, 0, {24})
                .converted(Semantics::FFromU, 32),
            Classes{InstClass::CvtF2I});
}

TEST(ConvertLikePtxas, APartThatOthersReadTooStays) {
  Chain C(4);
  C.then(Semantics::SExt, InstClass::Prmt, 16, 8);
  Operation Other;
  Other.What = Semantics::Add;
  Other.Block = 0;
  Other.Operands.push_back(Operand::value(1));
  C.Facts.Operations.push_back(Other);
  Operation Float = C.Facts.Operations[1];
  Float.What = Semantics::FFromS;
  Float.Bits = 32;
  Float.FromBits = 16;
  Float.Emits.assign(1, {InstClass::CvtI2F, 1, 1});
  Float.Operands.assign(1, Operand::value(1));
  C.Facts.Operations.push_back(Float);
  C.Facts.Blocks[0].NumOps = 4;
  convertPartsLikePtxas(C.Facts);
  EXPECT_EQ(C.Facts.Operations[1].Emits.size(), 1u);
  EXPECT_EQ(C.Facts.Operations[3].Emits[0].Class, InstClass::CvtF2I);
}

} // namespace
