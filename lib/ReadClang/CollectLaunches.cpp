//===- CollectLaunches.cpp - Launches in host code ------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadClang/CollectLaunches.h"
#include "KernelMangling.h"
#include "LaunchLoops.h"
#include "LaunchSite.h"
#include "RaisedLimits.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace gpuocc;
using namespace clang;

/// Calls through which the parameters of a function are followed, and ways to
/// reach one launch: enough for wrappers around launches; programs that go
/// beyond are rather told with variables than with dozens of launches.
static constexpr unsigned MaxCallDepth = 6;
static constexpr size_t MaxWays = 128;

namespace {

/// A call and the function that contains it.
struct PlacedCall {
  const CallExpr *Call;
  const FunctionDecl *Inside;
  /// Loops around a launch in its function, the innermost last.
  llvm::SmallVector<const Stmt *, 2> Loops = {};
};

/// Finds launches and calls in the user's own functions.
class CallFinder : public RecursiveASTVisitor<CallFinder> {
public:
  explicit CallFinder(const ASTContext &Context) : Context(Context) {}

  std::vector<PlacedCall> Launches, Others;
  llvm::DenseMap<const FunctionDecl *, std::vector<PlacedCall>> CallsOf;

  bool shouldVisitTemplateInstantiations() const { return true; }

  bool TraverseDecl(Decl *D) {
    if (!D || Context.getSourceManager().isInSystemHeader(D->getLocation()))
      return true;
    auto *Function = dyn_cast<FunctionDecl>(D);
    const FunctionDecl *Outer = Inside;
    llvm::SmallVector<const Stmt *, 2> OuterLoops;
    if (Function) {
      Inside = Function;
      std::swap(Loops, OuterLoops);
    }
    bool GoOn = RecursiveASTVisitor::TraverseDecl(D);
    Inside = Outer;
    if (Function)
      std::swap(Loops, OuterLoops);
    return GoOn;
  }

  bool TraverseWhileStmt(WhileStmt *S) {
    Loops.push_back(S);
    const bool GoOn = RecursiveASTVisitor::TraverseWhileStmt(S);
    Loops.pop_back();
    return GoOn;
  }

  bool TraverseForStmt(ForStmt *S) {
    Loops.push_back(S);
    const bool GoOn = RecursiveASTVisitor::TraverseForStmt(S);
    Loops.pop_back();
    return GoOn;
  }

  /// The body of a generic lambda is visited as it is written; its instances
  /// are where types are known.
  bool VisitLambdaExpr(LambdaExpr *Lambda) {
    if (FunctionTemplateDecl *Generic = Lambda->getDependentCallOperator())
      for (FunctionDecl *Instance : Generic->specializations())
        TraverseDecl(Instance);
    return true;
  }

  bool VisitCallExpr(CallExpr *Call) {
    if (Inside && Inside->isDependentContext())
      return true;
    if (isLaunch(Call)) {
      Launches.push_back({Call, Inside, Loops});
      return true;
    }
    Others.push_back({Call, Inside});
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      if (const FunctionDecl *Definition = Callee->getDefinition())
        CallsOf[Definition].push_back({Call, Inside});
    return true;
  }

private:
  const ASTContext &Context;
  const FunctionDecl *Inside = nullptr;
  llvm::SmallVector<const Stmt *, 2> Loops;
};

/// Names and places of one translation unit.
class LaunchCollector {
public:
  explicit LaunchCollector(ASTContext &Context)
      : Context(Context), Values(Context),
        Mangler(Context.createMangleContext()), Found(Context) {}

  std::vector<HostLaunch> collect() {
    Found.TraverseDecl(Context.getTranslationUnitDecl());
    RaisedLimits Raised;
    if (!Found.Launches.empty())
      for (const PlacedCall &Call : Found.Others)
        Raised.add(Call.Call, Call.Inside, Values);
    // Functions that allocate may stand behind their calls, and call others.
    for (unsigned Depth = 0; !Found.Launches.empty() && Depth != 2; ++Depth)
      for (const PlacedCall &Call : Found.Others)
        Values.noteAllocation({Call.Call, Call.Inside});
    std::vector<HostLaunch> Out;
    for (const PlacedCall &Launch : Found.Launches)
      for (const ParameterValues &Parameters : waysInto(Launch.Inside, 0)) {
        std::optional<LaunchSite> Site =
            readLaunch(Launch.Call, Launch.Inside, Parameters, Values);
        if (!Site)
          continue;
        HostLaunch L = std::move(Site->What);
        Raised.tell(Site->Kernel, L.Allowed);
        L.Kernel = mangledName(*Mangler, Site->Kernel);
        L.Place = placeOf(Launch);
        L.InLoop = launchesOfLoop(Launch.Call, Launch.Loops, Launch.Inside,
                                  Parameters, Values);
        if (!llvm::is_contained(Out, L))
          Out.push_back(std::move(L));
      }
    return Out;
  }

private:
  /// What the parameters of \p Function hold in its calls; one way in which
  /// nothing is known when there are no calls.
  std::vector<ParameterValues> waysInto(const FunctionDecl *Function,
                                        unsigned Depth) {
    auto Calls = Found.CallsOf.find(Function);
    if (!Function || Function->getNumParams() == 0 || Depth > MaxCallDepth ||
        Calls == Found.CallsOf.end())
      return {ParameterValues()};
    std::vector<ParameterValues> Ways;
    for (const PlacedCall &Call : Calls->second) {
      if (Call.Inside == Function)
        continue;
      for (const ParameterValues &Outer : waysInto(Call.Inside, Depth + 1)) {
        if (Ways.size() == MaxWays)
          return {ParameterValues()};
        Ways.push_back(Values.ofCall(Call.Call, Call.Inside, Outer));
      }
    }
    if (Ways.empty())
      Ways.push_back({});
    return Ways;
  }

  SourcePlace placeOf(const PlacedCall &Launch) const {
    PresumedLoc Place = Context.getSourceManager().getPresumedLoc(
        Context.getSourceManager().getExpansionLoc(Launch.Call->getBeginLoc()));
    SourcePlace Out;
    if (Place.isValid())
      Out = {Place.getFilename(), Place.getLine(), Place.getColumn(), ""};
    if (Launch.Inside)
      Out.Function = Launch.Inside->getNameAsString();
    return Out;
  }

  ASTContext &Context;
  HostValues Values;
  std::unique_ptr<MangleContext> Mangler;
  CallFinder Found;
};

} // namespace

std::vector<HostLaunch> gpuocc::collectLaunches(ASTContext &Context) {
  return LaunchCollector(Context).collect();
}
