//===- DeviceCode.cpp - Kernels in a module of MLIR -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadMLIR/DeviceCode.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace mlir;

bool gpuocc::isKernel(Operation *Op) {
  if (auto Function = dyn_cast<gpu::GPUFuncOp>(Op))
    return Function.isKernel();
  return isa<LLVM::LLVMFuncOp>(Op) &&
         (Op->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) ||
          Op->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()));
}

std::vector<DeviceCode> gpuocc::findDeviceCode(ModuleOp Root) {
  std::vector<DeviceCode> All;
  Root->walk<WalkOrder::PreOrder>([&](Operation *Op) {
    if (!isa<gpu::GPUModuleOp, ModuleOp>(Op))
      return;
    DeviceCode Code{Op, {}};
    for (Operation &Child : Op->getRegion(0).getOps())
      if (isKernel(&Child))
        Code.Kernels.push_back(&Child);
    if (!Code.Kernels.empty())
      All.push_back(std::move(Code));
  });
  return All;
}

StringRef gpuocc::symbolOf(Operation *Function) {
  auto Name =
      Function->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return Name ? Name.getValue() : StringRef();
}

/// The attribute \p Name of gpu.func, or "gpu." and \p Name of other kernels.
static std::array<unsigned, 3> extent(Operation *Kernel, StringRef Name) {
  auto Numbers = Kernel->getAttrOfType<DenseI32ArrayAttr>(Name);
  if (!Numbers)
    Numbers = Kernel->getAttrOfType<DenseI32ArrayAttr>(("gpu." + Name).str());
  std::array<unsigned, 3> Extent = {0, 0, 0};
  if (!Numbers || Numbers.size() != 3)
    return Extent;
  for (auto [To, From] : llvm::zip(Extent, Numbers.asArrayRef()))
    To = unsigned(std::max(From, 0));
  return Extent;
}

std::array<unsigned, 3> gpuocc::knownBlockSize(Operation *Kernel) {
  return extent(Kernel, "known_block_size");
}

std::array<unsigned, 3> gpuocc::knownGridSize(Operation *Kernel) {
  return extent(Kernel, "known_grid_size");
}

DeviceCodeTarget gpuocc::targetOf(Operation *Holder) {
  DeviceCodeTarget Target;
  auto Module = dyn_cast<gpu::GPUModuleOp>(Holder);
  if (!Module || !Module.getTargetsAttr())
    return Target;
  for (Attribute A : Module.getTargetsAttr())
    if (auto Nvvm = dyn_cast<NVVM::NVVMTargetAttr>(A)) {
      Target.Chip = Nvvm.getChip().str();
      Target.Features = Nvvm.getFeatures().str();
      Target.OptLevel = unsigned(std::clamp(Nvvm.getO(), 0, 3));
      DictionaryAttr Flags = Nvvm.getFlags();
      Target.FlushDenormals =
          Flags && (Flags.contains("ftz") || Flags.contains("fast"));
      break;
    }
  return Target;
}

std::string gpuocc::writeBytecode(const DeviceCode &Code) {
  OpBuilder Builder(Code.Holder->getContext());
  OwningOpRef<ModuleOp> Wrapper = ModuleOp::create(Code.Holder->getLoc());
  Builder.setInsertionPointToStart(Wrapper->getBody());
  if (isa<gpu::GPUModuleOp>(Code.Holder)) {
    Builder.clone(*Code.Holder);
  } else {
    auto Holder =
        gpu::GPUModuleOp::create(Builder, Code.Holder->getLoc(), "kernels");
    Builder.setInsertionPointToStart(Holder.getBody());
    for (Operation &Child : Code.Holder->getRegion(0).getOps())
      if (!isa<gpu::GPUModuleOp, ModuleOp>(Child))
        Builder.clone(Child);
  }
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  if (failed(writeBytecodeToFile(*Wrapper, OS)))
    return "";
  return Text;
}
