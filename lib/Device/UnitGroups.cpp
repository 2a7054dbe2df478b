//===- UnitGroups.cpp - Arithmetic units of an SM, by class ---------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitGroups.h"
#include "gpuocc/Support/InstClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace gpuocc;
using namespace llvm;

static constexpr StringLiteral GroupKeys[] = {
    "fp32",         "fp16",        "bf16",      "fp64",
    "int_add",      "tensor_f16",  "wgmma",     "fp64_conversions",
    "tensor_bf16",  "tensor_tf32", "tensor_s8", "tensor_f64",
    "tensor_f16acc"};

ArrayRef<StringLiteral> gpuocc::unitGroupKeys() { return GroupKeys; }

namespace {
/// A class whose throughput differs between architectures.
struct GroupRow {
  InstClass Class;
  StringLiteral Group;
  /// Multiply-adds of a tensor instruction of one warp; 0 for other classes.
  double MultiplyAdds = 0;
};
} // namespace

static constexpr GroupRow GroupRows[] = {
    {InstClass::FAdd, "fp32"},
    {InstClass::FMul, "fp32"},
    {InstClass::FFma, "fp32"},
    {InstClass::IAddImm, "fp32"},
    {InstClass::HAdd2, "fp16"},
    {InstClass::HMul2, "fp16"},
    {InstClass::HFma2, "fp16"},
    {InstClass::BFma2, "bf16"},
    {InstClass::DAdd, "fp64"},
    {InstClass::DMul, "fp64"},
    {InstClass::DFma, "fp64"},
    {InstClass::DSetp, "fp64"},
    {InstClass::IAdd3, "int_add"},
    {InstClass::CvtF64F32, "fp64_conversions"},
    {InstClass::CvtI2D, "fp64_conversions"},
    {InstClass::CvtD2I, "fp64_conversions"},
    {InstClass::CvtFrnd64, "fp64_conversions"},
    {InstClass::MmaF16K8, "tensor_f16", 16 * 8 * 8},
    {InstClass::MmaF16K16, "tensor_f16", 16 * 8 * 16},
    {InstClass::MmaF16AccF16K16, "tensor_f16acc", 16 * 8 * 16},
    {InstClass::MmaBf16K16, "tensor_bf16", 16 * 8 * 16},
    {InstClass::MmaTf32K4, "tensor_tf32", 16 * 8 * 4},
    {InstClass::MmaTf32K8, "tensor_tf32", 16 * 8 * 8},
    {InstClass::MmaS8K16, "tensor_s8", 16 * 8 * 16},
    {InstClass::MmaS8K32, "tensor_s8", 16 * 8 * 32},
    {InstClass::MmaF64, "tensor_f64", 8 * 8 * 4},
    {InstClass::WgmmaN8, "wgmma", 16 * 8 * 16},
    {InstClass::WgmmaN16, "wgmma", 16 * 16 * 16},
    {InstClass::WgmmaN32, "wgmma", 16 * 32 * 16},
    {InstClass::WgmmaN64, "wgmma", 16 * 64 * 16},
    {InstClass::WgmmaN128, "wgmma", 16 * 128 * 16},
    {InstClass::WgmmaN256, "wgmma", 16 * 256 * 16},
};

static const GroupRow *rowOf(InstClass Class) {
  const auto *Row =
      find_if(GroupRows, [&](const GroupRow &R) { return R.Class == Class; });
  return Row == std::end(GroupRows) ? nullptr : Row;
}

static std::optional<double> unitsOf(const ArchLimits &Arch, StringRef Group) {
  auto It = Arch.Units.find(Group.str());
  return It == Arch.Units.end() ? std::nullopt
                                : std::optional<double>(It->second);
}

bool gpuocc::lacksClass(InstClass Class, const ArchLimits &Arch) {
  if (is_contained(Arch.Lacks, Class))
    return true;
  const GroupRow *Row = rowOf(Class);
  return Row && !unitsOf(Arch, Row->Group);
}

UnitRatio gpuocc::unitRatio(InstClass Class, const ArchLimits &Arch,
                            const ArchLimits &RelativeArch) {
  UnitRatio Ratio;
  Ratio.How = "the same";
  const GroupRow *Row = rowOf(Class);
  if (!Row)
    return Ratio;
  std::optional<double> Mine = unitsOf(Arch, Row->Group);
  std::optional<double> Theirs = unitsOf(RelativeArch, Row->Group);
  if (!Mine || !Theirs || *Mine == *Theirs)
    return Ratio;
  Ratio.How = formatv("{0} units '{1}' of an SM of {2} over {3} of {4}", *Mine,
                      Row->Group, Arch.Name, *Theirs, RelativeArch.Name);
  if (Row->MultiplyAdds)
    // Which share of its peak an instruction reaches differs between
    // generations, so that a ratio would carry over the relative's.
    Ratio.PerCycleSm = *Mine / Row->MultiplyAdds;
  else
    Ratio.Factor = *Mine / *Theirs;
  return Ratio;
}
