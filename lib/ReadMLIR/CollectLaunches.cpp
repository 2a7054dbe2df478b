//===- CollectLaunches.cpp - Launches in host code of MLIR ----------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadMLIR/CollectLaunches.h"
#include "gpuocc/ReadMLIR/OperationPlaces.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace mlir;

namespace {
/// Operations of two integers that are operators of C.
struct Operator {
  llvm::StringLiteral Operation, InC;
};
} // namespace

static constexpr Operator Operators[] = {
    {"arith.addi", "+"},    {"arith.subi", "-"},    {"arith.muli", "*"},
    {"arith.divui", "/"},   {"arith.divsi", "/"},   {"arith.remui", "%"},
    {"arith.remsi", "%"},   {"arith.minui", "min"}, {"arith.minsi", "min"},
    {"arith.maxui", "max"}, {"arith.maxsi", "max"}};

/// Operations that hand a number on.
static constexpr llvm::StringLiteral Casts[] = {
    "arith.index_cast", "arith.index_castui",
    "arith.extsi",      "arith.extui",
    "arith.trunci",     "builtin.unrealized_conversion_cast"};

/// Deeper expressions have no value.
static constexpr unsigned MaxDepth = 16;

static HostExpr expressionOf(Value V, unsigned Depth = 0);

static HostExpr expressionOf(Operation *Op, unsigned Depth) {
  const StringRef Name = Op->getName().getStringRef();
  if (Depth < MaxDepth && Op->getNumOperands() == 1 &&
      llvm::is_contained(Casts, Name))
    return expressionOf(Op->getOperand(0), Depth + 1);
  if (Depth < MaxDepth && Op->getNumOperands() == 2) {
    auto Operand = [&](unsigned Index) {
      return expressionOf(Op->getOperand(Index), Depth + 1);
    };
    const auto *Found = llvm::find_if(
        Operators, [&](const Operator &O) { return O.Operation == Name; });
    if (Found != std::end(Operators))
      return HostExpr::operation(Found->InC.str(), {Operand(0), Operand(1)});
    if (Name == "arith.ceildivui" || Name == "arith.ceildivsi") {
      HostExpr Sum = HostExpr::operation(
          "+", {Operand(0),
                HostExpr::operation("-", {Operand(1), HostExpr::number(1)})});
      return HostExpr::operation("/", {std::move(Sum), Operand(1)});
    }
  }
  return HostExpr::variable(Name.str());
}

static HostExpr expressionOf(Value V, unsigned Depth) {
  APInt Number;
  if (matchPattern(V, m_ConstantInt(&Number)) &&
      Number.getSignificantBits() <= 64)
    return HostExpr::number(Number.getSExtValue());
  if (FloatAttr Real; matchPattern(V, m_Constant(&Real))) {
    HostExpr E;
    E.Value = {0, Real.getValueAsDouble(), /*IsReal=*/true};
    return E;
  }
  if (auto Argument = dyn_cast<BlockArgument>(V))
    return HostExpr::variable("arg" + std::to_string(Argument.getArgNumber()));
  return expressionOf(V.getDefiningOp(), Depth);
}

/// The value that casts of memrefs made \p V of.
static Value withoutCasts(Value V) {
  while (Operation *Op = V.getDefiningOp()) {
    if (Op->getName().getStringRef() != "memref.cast")
      return V;
    V = Op->getOperand(0);
  }
  return V;
}

/// The operands that say the dynamic sizes of what \p V allocates.
static OperandRange dynamicSizes(Value V) {
  Operation *Op = V.getDefiningOp();
  const StringRef Name = Op ? Op->getName().getStringRef() : StringRef();
  const auto Dynamic =
      size_t(cast<MemRefType>(V.getType()).getNumDynamicDims());
  if (Op && (Name == "memref.alloc" || Name == "memref.alloca") &&
      Op->getNumOperands() >= Dynamic)
    return Op->getOperands().take_front(Dynamic);
  if (auto Alloc = V.getDefiningOp<gpu::AllocOp>())
    return Alloc.getDynamicSizes();
  return OperandRange(nullptr, 0);
}

namespace {
/// Puts operands into the parameters that lowering makes of them.
class ArgumentList {
public:
  ArgumentList(HostLaunch &L, bool BarePointers)
      : L(L), BarePointers(BarePointers) {}

  void add(Value V) {
    const Type T = V.getType();
    if (isa<MemRefType>(T) && !BarePointers)
      return addMemRef(V);
    if (isa<UnrankedMemRefType>(T) && !BarePointers) {
      Next += 2;
      return;
    }
    if (T.isIntOrIndexOrFloat())
      L.Arguments[Next] = expressionOf(V);
    ++Next;
  }

private:
  /// Two pointers, the offset, sizes, strides.
  void addMemRef(Value V) {
    const unsigned Rank = unsigned(cast<MemRefType>(V.getType()).getRank());
    V = withoutCasts(V);
    auto T = dyn_cast<MemRefType>(V.getType());
    if (T && T.getRank() == Rank) {
      SmallVector<int64_t> Strides;
      int64_t Offset = 0;
      if (failed(T.getStridesAndOffset(Strides, Offset)))
        Offset = ShapedType::kDynamic;
      set(Next + 2, Offset);
      for (auto [D, Size] : llvm::enumerate(sizes(V, T)))
        if (Size)
          L.Arguments[Next + 3 + unsigned(D)] = *Size;
      for (auto [D, Stride] : llvm::enumerate(Strides))
        set(Next + 3 + Rank + D, Stride);
      if (T.getLayout().isIdentity())
        addStrides(V, T);
    }
    Next += 3 + 2 * Rank;
  }

  /// Strides of rows that lie behind each other, where their sizes are not in
  /// the type.
  void addStrides(Value V, MemRefType T) {
    const unsigned Rank = unsigned(T.getRank());
    const auto Sizes = sizes(V, T);
    HostExpr Stride = HostExpr::number(1);
    for (unsigned D = Rank; D-- > 0;) {
      L.Arguments[Next + 3 + Rank + D] = Stride;
      if (!Sizes[D])
        return;
      Stride = HostExpr::operation("*", {std::move(Stride), *Sizes[D]});
    }
  }

  /// The sizes of \p V, without those that are not said here.
  static SmallVector<std::optional<HostExpr>> sizes(Value V, MemRefType T) {
    SmallVector<std::optional<HostExpr>> Out;
    OperandRange Dynamic = dynamicSizes(V);
    size_t NextDynamic = 0;
    for (int64_t Size : T.getShape())
      if (!ShapedType::isDynamic(Size))
        Out.push_back(HostExpr::number(Size));
      else if (NextDynamic < Dynamic.size())
        Out.push_back(expressionOf(Dynamic[NextDynamic++]));
      else
        Out.push_back(std::nullopt);
    return Out;
  }

  void set(unsigned Index, int64_t Number) {
    if (!ShapedType::isDynamic(Number))
      L.Arguments[Index] = HostExpr::number(Number);
  }

  HostLaunch &L;
  bool BarePointers;
  unsigned Next = 0;
};
} // namespace

static SourcePlace placeOf(Operation *Op) {
  const SourceLocation Where = placesOf(Op->getLoc());
  return Where.isValid() ? Where.innermost() : SourcePlace();
}

static HostLaunch readLaunch(gpu::LaunchFuncOp Op, Operation *Kernel,
                             bool BarePointers) {
  HostLaunch L;
  L.Kernel = symbolOf(Kernel).str();
  L.Place = placeOf(Op);
  const gpu::KernelDim3 Grid = Op.getGridSizeOperandValues(),
                        Block = Op.getBlockSizeOperandValues();
  auto Extent = [](const gpu::KernelDim3 &D) {
    return HostExtent{expressionOf(D.x), expressionOf(D.y), expressionOf(D.z)};
  };
  L.Grid = Extent(Grid);
  L.Block = Extent(Block);
  if (Op.hasClusterSize())
    L.Cluster = Extent(Op.getClusterSizeOperandValues());
  L.DynamicSharedBytes = Op.getDynamicSharedMemorySize()
                             ? expressionOf(Op.getDynamicSharedMemorySize())
                             : HostExpr::number(0);
  // Host code that is lowered already passes what kernels take.
  const bool IsLowered = isa<LLVM::LLVMFuncOp>(Kernel);
  ArgumentList Arguments(L, BarePointers || IsLowered);
  for (Value V : Op.getKernelOperands())
    Arguments.add(V);
  return L;
}

static HostLaunch knownLaunch(Operation *Kernel) {
  HostLaunch L;
  L.Kernel = symbolOf(Kernel).str();
  L.Place = placeOf(Kernel);
  auto Extent = [](std::array<unsigned, 3> Known, StringRef Name) {
    HostExtent E;
    for (auto [To, From] : llvm::zip(E, Known))
      To = From != 0 ? HostExpr::number(From) : HostExpr::variable(Name.str());
    return E;
  };
  L.Grid = Extent(knownGridSize(Kernel), "grid");
  L.Block = Extent(knownBlockSize(Kernel), "block");
  L.DynamicSharedBytes = HostExpr::number(0);
  return L;
}

std::vector<HostLaunch> gpuocc::collectLaunches(ModuleOp Root,
                                                const DeviceCode &Code,
                                                bool BarePointers) {
  std::vector<HostLaunch> Launches;
  Root->walk([&](gpu::LaunchFuncOp Op) {
    for (Operation *Kernel : Code.Kernels)
      if (Op.getKernelName() == symbolOf(Kernel) &&
          Op.getKernelModuleName() == symbolOf(Code.Holder))
        Launches.push_back(readLaunch(Op, Kernel, BarePointers));
  });
  for (Operation *Kernel : Code.Kernels) {
    const bool IsLaunched = llvm::any_of(Launches, [&](const HostLaunch &L) {
      return StringRef(L.Kernel) == symbolOf(Kernel);
    });
    if (!IsLaunched && knownGridSize(Kernel)[0] != 0)
      Launches.push_back(knownLaunch(Kernel));
  }
  return Launches;
}
