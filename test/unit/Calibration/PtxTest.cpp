//===- PtxTest.cpp - Text of the microkernels --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/InstClass.h"
#include "kernels/Arithmetic.h"
#include "kernels/Memory.h"
#include "kernels/PtxTable.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace gpuocc;
using namespace gpuocc::calibration;
using namespace llvm;

TEST(Ptx, EveryPlaceHolderIsFilledIn) {
  for (ArrayRef<ArithmeticSpec> Specs :
       {arithmeticSpecs(), dependenceSpecs(), ptxTableSpecs()})
    for (const ArithmeticSpec &Spec : Specs) {
      std::string Text = arithmeticModule(Spec, {90, false});
      // Labels begin with $L_ or $ilp; nothing else is left.
      for (size_t At = Text.find('$'); At != std::string::npos;
           At = Text.find('$', At + 1)) {
        StringRef Rest = StringRef(Text).substr(At);
        EXPECT_TRUE(Rest.starts_with("$L_") || Rest.starts_with("$ilp"))
            << Spec.Key << ": " << Rest.take_front(20).str();
      }
      EXPECT_EQ(StringRef(Text).count(".visible .entry"),
                Spec.MaxIlp == 1   ? 1u
                : Spec.MaxIlp == 2 ? 2u
                : Spec.MaxIlp == 4 ? 3u
                                   : 4u)
          << Spec.Key;
    }
}

TEST(Ptx, KeysAreUniqueAndPartnersExist) {
  StringSet<> Keys;
  for (const ArithmeticSpec &Spec : arithmeticSpecs())
    EXPECT_TRUE(Keys.insert(Spec.Key).second) << Spec.Key;
  for (const ArithmeticSpec &Spec : arithmeticSpecs())
    if (Spec.Partner)
      EXPECT_TRUE(Keys.contains(Spec.Partner)) << Spec.Key;
  StringSet<> Pairs;
  for (const ArithmeticSpec &Spec : dependenceSpecs()) {
    Pairs.insert(Spec.Key);
    auto [Producer, Consumer] = StringRef(Spec.Key).split(" -> ");
    EXPECT_TRUE(Keys.contains(Producer) && Keys.contains(Consumer)) << Spec.Key;
    EXPECT_TRUE(parseInstClass(Producer) && parseInstClass(Consumer))
        << Spec.Key;
  }
  for (const ArithmeticSpec &Spec : arithmeticSpecs())
    if (Spec.Excess)
      EXPECT_TRUE(Pairs.contains(Spec.Excess)) << Spec.Key;
}

TEST(Ptx, TargetsAreNamed) {
  EXPECT_NE(moduleHeader({90, true}).find("sm_90a"), std::string::npos);
  EXPECT_NE(moduleHeader({80, false}).find("sm_80\n"), std::string::npos);
}

TEST(Ptx, LoopsOfAlphaHoldAlphaAdditionsPerLoad) {
  std::string Text = timedKernel(loadAddMix(4, 45, 2, "cg", 4));
  EXPECT_EQ(StringRef(Text).count("add.rn.f32"), 45u * 2 * 4);
  EXPECT_EQ(StringRef(Text).count("ld.global.cg"), 2u * 4);
}
