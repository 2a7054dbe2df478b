//===- LowerKernel.cpp - A kernel of MLIR to LLVM IR ----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadMLIR/LowerKernel.h"
#include "LowerVectors.h"
#include "ParameterNames.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/NVGPUToNVVM/NVGPUToNVVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace mlir;

char LoweringError::ID = 0;

void LoweringError::log(llvm::raw_ostream &OS) const {
  if (Place.isValid())
    OS << Place.File << ':' << Place.Line << ':' << Place.Column << ": ";
  OS << Text;
}

/// Leaves \p Kernel and what it may call, which is erased where it does not.
static void keepOnly(gpu::GPUModuleOp Holder, Operation *Kernel) {
  for (Operation &Child :
       llvm::make_early_inc_range(Holder.getBodyRegion().getOps())) {
    if (&Child == Kernel)
      continue;
    if (isKernel(&Child))
      Child.erase();
    else if (isa<SymbolOpInterface>(Child))
      SymbolTable::setSymbolVisibility(&Child,
                                       SymbolTable::Visibility::Private);
  }
}

/// Erases what names variables for debuggers: it hangs on scopes that numbers
/// take the place of.
static void eraseDebugOperations(Operation *Root) {
  Root->walk([](Operation *Op) {
    if (isa<LLVM::DbgDeclareOp, LLVM::DbgLabelOp, LLVM::DbgValueOp>(Op))
      Op->erase();
  });
}

/// What gpu-lower-to-nvvm-pipeline does to a gpu.module. It strips debug
/// information, which is made here instead.
static void addConversions(OpPassManager &Module,
                           const LoweringOptions &Options) {
  OpPassManager &Holder = Module.nest<gpu::GPUModuleOp>();
  Holder.addPass(createSymbolDCEPass());
  Holder.addPass(createConvertNVGPUToNVVMPass());
  Holder.addPass(createConvertVectorToSCFPass());
  Holder.addPass(createLowerVectorsPass());
  Holder.addPass(createLowerAffinePass());
  Holder.addPass(createSCFToControlFlowPass());
  Holder.addPass(memref::createExpandStridedMetadataPass());
  Holder.addPass(createLowerAffinePass());
  ConvertGpuOpsToNVVMOpsOptions ToNvvm;
  ToNvvm.useBarePtrCallConv = Options.BarePointers;
  Holder.addPass(createConvertGpuOpsToNVVMOps(ToNvvm));
  Holder.addPass(createConvertNVVMToLLVMPass());
  Holder.addPass(createCanonicalizerPass());
  Holder.addPass(createCSEPass());
  Holder.addPass(createReconcileUnrealizedCastsPass());
  Module.addPass(LLVM::createDIScopeForLLVMFuncOpPass());
}

namespace {
/// The first error that MLIR tells of.
class FirstError {
public:
  explicit FirstError(MLIRContext &Context)
      : Handler(&Context, [this](Diagnostic &D) {
          if (D.getSeverity() == DiagnosticSeverity::Error && Text.empty()) {
            Text = D.str();
            Where = D.getLocation();
          }
          return success();
        }) {}

  /// \p Otherwise where MLIR said nothing.
  llvm::Error take(StringRef Otherwise, const PlaceTable *Places) const {
    SourceLocation Found;
    if (Where)
      Found = Places ? Places->placesOf(*Where) : gpuocc::placesOf(*Where);
    return llvm::make_error<LoweringError>(
        Text.empty() ? Otherwise.str() : Text,
        Found.isValid() ? Found.innermost() : SourcePlace());
  }

private:
  std::string Text;
  std::optional<Location> Where;
  ScopedDiagnosticHandler Handler;
};
} // namespace

/// The first operation in \p Holder that is not LLVM's; one that only converts
/// types where there is no other.
static Operation *findNotLowered(Operation *Holder) {
  Operation *Found = nullptr;
  Holder->walk<WalkOrder::PreOrder>([&](Operation *Op) {
    if (Op == Holder ||
        isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(Op->getDialect()))
      return WalkResult::advance();
    const bool IsCast = isa<UnrealizedConversionCastOp>(Op);
    if (!Found || !IsCast)
      Found = Op;
    return IsCast ? WalkResult::advance() : WalkResult::interrupt();
  });
  return Found;
}

static void nameParameters(llvm::Module &M, StringRef Kernel,
                           llvm::ArrayRef<std::string> Names) {
  llvm::Function *F = M.getFunction(Kernel);
  if (!F || F->arg_size() != Names.size())
    return;
  for (auto [Argument, Name] : llvm::zip(F->args(), Names))
    Argument.setName(Name);
}

llvm::Expected<LoweredKernel> gpuocc::lowerKernel(
    StringRef Bytecode, StringRef Kernel, const DialectRegistry &Registry,
    const LoweringOptions &Options, llvm::LLVMContext &LlvmContext) {
  MLIRContext Context(Registry, MLIRContext::Threading::DISABLED);
  Context.allowUnregisteredDialects();
  Context.printOpOnDiagnostic(false);
  const FirstError Problem(Context);
  OwningOpRef<ModuleOp> Module = parseSourceString<ModuleOp>(
      Bytecode, ParserConfig(&Context, /*verifyAfterParse=*/false));
  if (!Module)
    return Problem.take("its copy cannot be read", nullptr);
  auto Holder = *Module->getOps<gpu::GPUModuleOp>().begin();
  Operation *Function = Holder.lookupSymbol(Kernel);
  if (!Function)
    return Problem.take("its copy has no such kernel", nullptr);
  LoweredKernel Lowered;
  Lowered.KnownBlock = knownBlockSize(Function);
  const std::vector<std::string> Names =
      parameterNames(Function, Options.BarePointers);
  eraseDebugOperations(*Module);
  Lowered.Places.number(*Module);
  keepOnly(Holder, Function);

  PassManager Passes(&Context);
  // It was verified where it was made; what is wrong later has no lowering.
  Passes.enableVerifier(false);
  addConversions(Passes, Options);
  if (failed(Passes.run(*Module)))
    return Problem.take("MLIR cannot lower it and does not say why",
                        &Lowered.Places);
  if (Operation *Op = findNotLowered(Holder)) {
    const SourceLocation Where = Lowered.Places.placesOf(Op->getLoc());
    return llvm::make_error<LoweringError>(
        ("operation '" + Op->getName().getStringRef() +
         "' has no lowering to LLVM")
            .str(),
        Where.isValid() ? Where.innermost() : SourcePlace());
  }
  Lowered.Code = translateModuleToLLVMIR(Holder, LlvmContext, Kernel);
  if (!Lowered.Code)
    return Problem.take("MLIR cannot translate it and does not say why",
                        &Lowered.Places);
  nameParameters(*Lowered.Code, Kernel, Names);
  return std::move(Lowered);
}
