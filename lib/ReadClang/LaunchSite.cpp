//===- LaunchSite.cpp - One call that launches a kernel -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchSite.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace gpuocc;
using namespace clang;
using llvm::dyn_cast;
using llvm::isa;
using llvm::StringRef;

namespace {

/// How a launch is written.
enum class LaunchForm {
  /// kernel<<<grid, block, shared, stream>>>(arguments...)
  Chevrons,
  /// cudaLaunchKernel(kernel, grid, block, arguments, shared, stream)
  Array,
  /// cudaLaunchKernelEx(&config, kernel, arguments...)
  Config,
  /// cudaLaunchKernelExC(&config, kernel, arguments)
  ConfigArray
};

struct LaunchFunction {
  llvm::StringLiteral Name;
  LaunchForm Form;
  unsigned MinArguments;
  bool IsCooperative;
};

constexpr LaunchFunction LaunchFunctions[] = {
    {"cudaLaunchKernel", LaunchForm::Array, 4, false},
    {"cudaLaunchCooperativeKernel", LaunchForm::Array, 4, true},
    {"cudaLaunchKernelEx", LaunchForm::Config, 2, false},
    {"cudaLaunchKernelExC", LaunchForm::ConfigArray, 3, false},
};
constexpr LaunchFunction Chevrons = {"", LaunchForm::Chevrons, 0, false};

} // namespace

/// How \p Call launches a kernel; null where it does not.
static const LaunchFunction *launchFunctionOf(const CallExpr *Call) {
  if (isa<CUDAKernelCallExpr>(Call))
    return &Chevrons;
  const FunctionDecl *Callee = Call->getDirectCallee();
  if (!Callee || !Callee->getIdentifier())
    return nullptr;
  for (const LaunchFunction &F : LaunchFunctions)
    if (Callee->getName() == F.Name && Call->getNumArgs() >= F.MinArguments)
      return &F;
  return nullptr;
}

bool gpuocc::isLaunch(const CallExpr *Call) {
  return launchFunctionOf(Call) != nullptr;
}

namespace {

/// Reads one launch.
class SiteReader {
public:
  SiteReader(const FunctionDecl *Function, const ParameterValues &Parameters,
             HostValues &Values)
      : Function(Function), Parameters(Parameters), Values(Values) {}

  std::optional<LaunchSite> read(const CallExpr *Call, LaunchForm Form) {
    HostLaunch &L = Site.What;
    switch (Form) {
    case LaunchForm::Chevrons: {
      const CallExpr *Config =
          llvm::cast<CUDAKernelCallExpr>(Call)->getConfig();
      Site.Kernel = kernelIn(Call->getCallee());
      if (!Site.Kernel || !Config || Config->getNumArgs() < 2)
        return std::nullopt;
      L.Grid = extent(Config->getArg(0));
      L.Block = extent(Config->getArg(1));
      if (Config->getNumArgs() > 2)
        L.DynamicSharedBytes = scalar(Config->getArg(2));
      readArguments({Call->getArgs(), Call->getNumArgs()});
      return Site;
    }
    case LaunchForm::Array:
      Site.Kernel = kernelIn(Call->getArg(0));
      if (!Site.Kernel)
        return std::nullopt;
      L.Grid = extent(Call->getArg(1));
      L.Block = extent(Call->getArg(2));
      if (Call->getNumArgs() > 4)
        L.DynamicSharedBytes = scalar(Call->getArg(4));
      readArgumentArray(Call->getArg(3));
      return Site;
    case LaunchForm::Config:
    case LaunchForm::ConfigArray:
      Site.Kernel = kernelIn(Call->getArg(1));
      if (!Site.Kernel)
        return std::nullopt;
      // That the kernel is launched is known all the same.
      if (!readConfig(Call->getArg(0)))
        takeUnknownConfig();
      if (Form == LaunchForm::ConfigArray)
        readArgumentArray(Call->getArg(2));
      else
        readArguments(
            llvm::ArrayRef(Call->getArgs(), Call->getNumArgs()).drop_front(2));
      return Site;
    }
    llvm_unreachable("all forms are handled");
  }

private:
  HostExpr scalar(const Expr *E) {
    return Values.scalar(E, Function, Parameters);
  }
  HostExtent extent(const Expr *E) {
    return Values.extent(E, Function, Parameters);
  }

  const Expr *followed(const Expr *E) { return Values.followed(E, Function); }

  static const VarDecl *variableIn(const Expr *E) {
    auto *Reference = dyn_cast<DeclRefExpr>(E);
    return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
  }

  const FunctionDecl *kernelIn(const Expr *E) {
    return Values.kernel(E, Function, Parameters);
  }

  /// Keeps arguments that can say something: numbers, null pointers, arrays
  /// whose sizes are known, and members of structs.
  void addArgument(unsigned Index, const Expr *E) {
    if (Index >= Site.Kernel->getNumParams())
      return;
    QualType Type = Site.Kernel->getParamDecl(Index)->getType();
    if (Type->isRecordType()) {
      if (HostMembers Members = Values.members(E, Function, Parameters);
          !Members.empty())
        Site.What.Members[Index] = std::move(Members);
      return;
    }
    bool IsNumber = Type->isArithmeticType() || Type->isEnumeralType();
    if (!IsNumber && !Type->isPointerType())
      return;
    HostExpr Value = scalar(E);
    if (IsNumber || Value.What == HostExpr::Kind::Number)
      Site.What.Arguments[Index] = std::move(Value);
    else if (std::optional<HostExpr> Bytes =
                 Values.arrayBytes(E, Function, Parameters))
      Site.What.ArrayBytes[Index] = std::move(*Bytes);
  }

  void readArguments(llvm::ArrayRef<const Expr *> Arguments) {
    for (auto [Index, E] : llvm::enumerate(Arguments))
      addArgument(Index, E);
  }

  /// The arguments behind `void *arguments[] = {&a, &b}`.
  void readArgumentArray(const Expr *E) {
    const Expr *Array = followed(E);
    auto *List = Array ? dyn_cast<InitListExpr>(Array) : nullptr;
    if (!List)
      return;
    for (auto [Index, Element] : llvm::enumerate(List->inits())) {
      auto *Address = dyn_cast<UnaryOperator>(Element->IgnoreParenCasts());
      if (Address && Address->getOpcode() == UO_AddrOf)
        addArgument(Index, Address->getSubExpr());
    }
  }

  /// The value of field \p Name in an initializer; null when it has none.
  static const Expr *fieldIn(const Expr *Init, StringRef Name) {
    auto *List =
        Init ? dyn_cast<InitListExpr>(Init->IgnoreParenImpCasts()) : nullptr;
    const RecordDecl *Record =
        List ? List->getType()->getAsRecordDecl() : nullptr;
    if (!Record)
      return nullptr;
    for (const FieldDecl *Field : Record->fields())
      if (Field->getName() == Name &&
          Field->getFieldIndex() < List->getNumInits())
        return List->getInit(Field->getFieldIndex());
    return nullptr;
  }

  /// \p Init, which may be null, is a list or a default, not the result of a
  /// function.
  static bool saysItsMembers(const Expr *Init) {
    if (!Init)
      return true;
    Init = Init->IgnoreParenImpCasts();
    if (const auto *Whole = dyn_cast<ExprWithCleanups>(Init))
      Init = Whole->getSubExpr()->IgnoreParenImpCasts();
    const auto *Construct = dyn_cast<CXXConstructExpr>(Init);
    return isa<InitListExpr>(Init) ||
           (Construct && Construct->getNumArgs() == 0);
  }

  bool readConfig(const Expr *E) {
    auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
    const VarDecl *Variable =
        variableIn(Address ? Address->getSubExpr()->IgnoreParens()
                           : E->IgnoreParenCasts());
    const VariableWrites *Writes =
        Variable ? Values.memberWrites(Variable, Function) : nullptr;
    if (!Writes)
      return false;
    const Expr *Init = Variable->getAnyInitializer();
    if (!saysItsMembers(Init))
      return false;
    HostLaunch &L = Site.What;
    L.Grid = extentField(*Writes, Init, "gridDim");
    L.Block = extentField(*Writes, Init, "blockDim");
    const Expr *Shared = fieldIn(Init, "dynamicSmemBytes");
    if (Shared && !isa<ImplicitValueInitExpr>(Shared))
      L.DynamicSharedBytes = scalar(Shared);
    for (const VariableWrites::MemberWrite &Write : Writes->Members)
      if (Write.Path == "dynamicSmemBytes")
        L.DynamicSharedBytes = scalar(Write.Value);
    return true;
  }

  /// A configuration of which only its members' names can be told.
  void takeUnknownConfig() {
    auto Member = [](StringRef Name) {
      HostExtent Out;
      static constexpr StringRef Axes[] = {".x", ".y", ".z"};
      for (auto [Axis, Letter] : llvm::enumerate(Axes))
        Out[Axis] = HostExpr::variable((Name + Letter).str());
      return Out;
    };
    HostLaunch &L = Site.What;
    L.Grid = Member("gridDim");
    L.Block = Member("blockDim");
    L.DynamicSharedBytes = HostExpr::variable("dynamicSmemBytes");
  }

  HostExtent extentField(const VariableWrites &Writes, const Expr *Init,
                         StringRef Name) {
    HostExpr One = HostExpr::number(1);
    HostExtent Out = {One, One, One};
    const Expr *Field = fieldIn(Init, Name);
    if (Field && !isa<ImplicitValueInitExpr>(Field))
      Out = extent(Field);
    for (const VariableWrites::MemberWrite &Write : Writes.Members) {
      if (Write.Path == Name)
        Out = extent(Write.Value);
      static constexpr StringRef Axes[] = {".x", ".y", ".z"};
      for (auto [Axis, Letter] : llvm::enumerate(Axes))
        if (Write.Path == (Name + Letter).str())
          Out[Axis] = scalar(Write.Value);
    }
    return Out;
  }

  const FunctionDecl *Function;
  const ParameterValues &Parameters;
  HostValues &Values;
  LaunchSite Site;
};

} // namespace

std::optional<LaunchSite> gpuocc::readLaunch(const CallExpr *Call,
                                             const FunctionDecl *Function,
                                             const ParameterValues &Parameters,
                                             HostValues &Values) {
  const LaunchFunction *How = launchFunctionOf(Call);
  if (!How)
    return std::nullopt;
  std::optional<LaunchSite> Site =
      SiteReader(Function, Parameters, Values).read(Call, How->Form);
  if (Site)
    Site->What.Allowed.IsCooperative = How->IsCooperative;
  return Site;
}
