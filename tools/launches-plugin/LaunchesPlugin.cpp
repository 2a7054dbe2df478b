//===- LaunchesPlugin.cpp - Reads launches while clang parses -------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A clang plugin that reads the launches in the host code of a CUDA source
/// and keeps them for the pass plugin, which loads it:
///
/// clang++ -fpass-plugin=GpuOccupancy.so -Rpass=gpu-occupancy ...
///
//===----------------------------------------------------------------------===//

#include "LaunchesPlugin.h"
#include "gpuocc/Kernel/JSON.h"
#include "gpuocc/ReadClang/AsNvcc.h"
#include "gpuocc/ReadClang/CollectKernels.h"
#include "gpuocc/ReadClang/CollectLaunches.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclGroup.h"
#include "clang/AST/Stmt.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace clang;

/// The launches of the translation unit that was parsed last; the compiler
/// generates code for it right after.
static std::string &launches() {
  static std::string Text = "[]";
  return Text;
}

namespace {

/// What the plugin is told with -plugin-arg-gpu-occupancy-launches.
struct PluginArguments {
  /// "take-shared-barriers".
  bool TakesSharedBarriers = false;
  /// "as-nvcc".
  bool ReadsAsNvcc = false;
  /// "declarations=FILE": where kernels and launches go as a facts file; empty:
  /// nowhere. Device bodies are skipped then, and errors end nothing.
  std::string DeclarationsFile;
};

/// Sees everything before the consumer that generates code for it.
class LaunchConsumer : public ASTConsumer {
public:
  explicit LaunchConsumer(PluginArguments Arguments) : Arguments(Arguments) {}

  void Initialize(ASTContext &TheContext) override { Context = &TheContext; }

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (Decl *D : Group)
      readDecl(*D);
    return true;
  }

  void HandleCXXStaticMemberVarInstantiation(VarDecl *Variable) override {
    readDecl(*Variable);
  }

  /// Destructors of shared variables never run. nvcc declares so and goes on;
  /// clang wants them empty. That of cuda::barrier only tells the hardware that
  /// the barrier is no more.
  void HandleInlineFunctionDefinition(FunctionDecl *Function) override {
    readDecl(*Function);
    const auto *Destructor = dyn_cast<CXXDestructorDecl>(Function);
    if (!Arguments.TakesSharedBarriers || !Destructor)
      return;
    const CXXRecordDecl *Class = Destructor->getParent();
    const auto *Space = dyn_cast<NamespaceDecl>(
        Class->getDeclContext()->getEnclosingNamespaceContext());
    while (Space && Space->isInline())
      Space = dyn_cast<NamespaceDecl>(Space->getParent());
    if (Class->getName() == "barrier" && Space && Space->getName() == "cuda" &&
        Space->getParent()->isTranslationUnit())
      Function->setBody(CompoundStmt::CreateEmpty(Function->getASTContext(),
                                                  /*NumStmts=*/0,
                                                  /*HasFPFeatures=*/false));
  }

  /// With -skip-function-bodies: what runs on the device only says nothing of
  /// launches, and may have what clang does not know.
  bool shouldSkipFunctionBody(Decl *D) override {
    const FunctionDecl *Function = D->getAsFunction();
    return Function && !Function->hasAttr<CUDAHostAttr>() &&
           (Function->hasAttr<CUDAGlobalAttr>() ||
            Function->hasAttr<CUDADeviceAttr>());
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    launches() = "[]";
    if (!Arguments.DeclarationsFile.empty())
      return writeDeclarations(Context);
    bool IsDevice = Context.getLangOpts().CUDAIsDevice;
    if (IsDevice && !Context.getDiagnostics().hasErrorOccurred())
      launches() = hostLaunchesText(collectLaunches(Context));
  }

private:
  void writeDeclarations(ASTContext &Context) {
    std::error_code EC;
    llvm::raw_fd_ostream OS(Arguments.DeclarationsFile, EC);
    if (EC)
      return;
    const SourceManager &Sources = Context.getSourceManager();
    FactsFile File;
    if (auto Main = Sources.getFileEntryRefForID(Sources.getMainFileID()))
      File.SourceFile = Main->getName().str();
    File.Kernels = collectKernels(Context);
    File.Launches = collectLaunches(Context);
    if (Context.getDiagnostics().hasErrorOccurred())
      File.Problem = "clang finds errors in it";
    writeFactsFile(File, OS);
  }

  void readDecl(Decl &D) {
    if (Arguments.ReadsAsNvcc)
      readAsNvcc(*Context, D);
  }

  PluginArguments Arguments;
  ASTContext *Context = nullptr;
};

/// Runs before code is generated, in each compilation.
class LaunchAction : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &,
                                                 llvm::StringRef) override {
    return std::make_unique<LaunchConsumer>(Arguments);
  }
  bool ParseArgs(const CompilerInstance &,
                 const std::vector<std::string> &Words) override {
    Arguments.TakesSharedBarriers =
        llvm::is_contained(Words, "take-shared-barriers");
    Arguments.ReadsAsNvcc = llvm::is_contained(Words, "as-nvcc");
    for (llvm::StringRef Word : Words)
      if (Word.consume_front("declarations="))
        Arguments.DeclarationsFile = Word.str();
    return true;
  }
  ActionType getActionType() override { return AddBeforeMainAction; }

  PluginArguments Arguments;
};

} // namespace

static FrontendPluginRegistry::Add<LaunchAction>
    Registered("gpu-occupancy-launches", "read kernel launches in host code");

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT const char *gpuoccHostLaunches() {
  return launches().c_str();
}
