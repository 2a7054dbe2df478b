//===- DebugLines.cpp - ".loc" to debug locations -----------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DebugLines.h"
#include "Lexer.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include <array>
#include <map>

using namespace gpuocc;
using namespace llvm;

/// Calls of a chain.
static constexpr unsigned DeepestInlining = 64;

DebugLines::DebugLines(const PtxModule &From, Module &To)
    : From(From), To(To), Builder(To) {
  if (From.Files.empty())
    return;
  for (const PtxFile &F : From.Files)
    Files[F.Index] = fileNamed(F.Path);
  To.addModuleFlag(Module::Warning, "Debug Info Version",
                   DEBUG_METADATA_VERSION);
  Unit = Builder.createCompileUnit(
      DISourceLanguageName(dwarf::DW_LANG_C_plus_plus),
      fileNamed(From.Files.front().Path), /*Producer=*/"PTX",
      /*isOptimized=*/true, /*Flags=*/"", /*RV=*/0, /*SplitName=*/"",
      DICompileUnit::LineTablesOnly);
}

DIFile *DebugLines::fileNamed(StringRef Path) {
  DIFile *&F = FilesByName[Path];
  if (!F)
    F = Builder.createFile(Path, "");
  return F;
}

DIFile *DebugLines::file(unsigned Index) {
  auto It = Files.find(Index);
  return It == Files.end() ? fileNamed("?") : It->second;
}

DISubprogram *DebugLines::function(StringRef Name, DIFile *File,
                                   unsigned Line) {
  return Builder.createFunction(
      File, Name, StringRef(), File, Line,
      Builder.createSubroutineType(Builder.getOrCreateTypeArray({})), Line,
      DINode::FlagZero, DISubprogram::SPFlagDefinition);
}

void DebugLines::enter(const PtxFunction &F, Function &New) {
  Current = &F;
  Subprogram = nullptr;
  Known.assign(F.Lines.size(), std::nullopt);
  Calls.clear();
  if (!Unit || F.Lines.empty())
    return;
  const PtxSourceLine &First = F.Lines.front();
  // The outermost place is in the function itself.
  const bool IsInlined = First.InlinedAt.has_value();
  Subprogram = function(demangle(F.Name).c_str(),
                        file(IsInlined ? First.InlinedAt->File : First.File),
                        IsInlined ? First.InlinedAt->Line : First.Line);
  New.setSubprogram(Subprogram);
}

/// Text behind the labels of sections such as .debug_str: ".b8" bytes.
void DebugLines::readStrings() {
  HasStrings = true;
  for (const PtxSection &S : From.Sections) {
    if (!S.Name.contains("debug_str"))
      continue;
    PtxLexer Lexer(S.Text);
    std::string *Text = nullptr;
    for (; Lexer.token().K != PtxToken::Kind::End; Lexer.advance()) {
      const PtxToken T = Lexer.token();
      if (T.K == PtxToken::Kind::Bad)
        return;
      if (T.K == PtxToken::Kind::Word)
        Text = &Strings[T.Text];
      else if (T.K == PtxToken::Kind::Integer && Text)
        Text->push_back(char(T.Number));
    }
  }
}

StringRef DebugLines::stringAt(const PtxSourceLine &L) {
  if (!HasStrings)
    readStrings();
  auto It = Strings.find(L.Function);
  if (It == Strings.end() || L.FunctionOffset >= It->second.size())
    return "";
  return StringRef(It->second.c_str() + L.FunctionOffset);
}

/// The line before line \p Index with the place that this is inlined at, which
/// says what that in turn is inlined at; -1 where there is none.
int DebugLines::callOf(size_t Index) {
  using Place = std::array<unsigned, 3>;
  if (!Calls.empty())
    return Calls[Index];
  std::map<Place, size_t> Last;
  std::vector<unsigned> Depths;
  for (const PtxSourceLine &L : Current->Lines) {
    int Call = -1;
    if (L.InlinedAt)
      if (auto It = Last.find(
              {L.InlinedAt->File, L.InlinedAt->Line, L.InlinedAt->Column});
          It != Last.end() && Depths[It->second] < DeepestInlining)
        Call = int(It->second);
    Last[{L.File, L.Line, L.Column}] = Calls.size();
    Depths.push_back(Call < 0 ? 0 : Depths[size_t(Call)] + 1);
    Calls.push_back(Call);
  }
  return Calls[Index];
}

/// Where line \p Index was inlined at.
DILocation *DebugLines::inlinedAt(size_t Index) {
  const PtxSourceLine::Call &C = *Current->Lines[Index].InlinedAt;
  if (const int Call = callOf(Index); Call >= 0)
    if (Current->Lines[size_t(Call)].InlinedAt)
      return at(Call).get();
  return DILocation::get(
      To.getContext(), C.Line, C.Column,
      Builder.createLexicalBlockFile(Subprogram, file(C.File)));
}

/// "tk_reduce.py:20:29 @[ main.py:3:1 ]", as Triton and LLVM write behind a
/// line, from the call on.
DILocation *DebugLines::inComment(StringRef Chain) {
  SmallVector<StringRef, 4> Calls;
  Chain.split(Calls, "@[");
  if (Calls.size() > DeepestInlining)
    return nullptr;
  DILocation *At = nullptr;
  for (StringRef Call : reverse(Calls)) {
    auto [Front, Column] = Call.rtrim(" ]").trim().rsplit(':');
    auto [Path, Line] = Front.rsplit(':');
    unsigned LineNumber = 0, ColumnNumber = 0;
    if (Line.getAsInteger(10, LineNumber) ||
        Column.getAsInteger(10, ColumnNumber))
      return nullptr;
    DIFile *File = nullptr;
    for (const PtxFile &F : From.Files)
      if (F.Path == Path || sys::path::filename(F.Path) == Path)
        File = fileNamed(F.Path);
    if (!File)
      File = fileNamed(Path);
    DIScope *Scope = Subprogram;
    if (At) {
      DISubprogram *&Function = Inlined[Path];
      if (!Function)
        Function = function("", File, 0);
      Scope = Function;
    } else if (File != Subprogram->getFile()) {
      Scope = Builder.createLexicalBlockFile(Subprogram, File);
    }
    At = DILocation::get(To.getContext(), LineNumber, ColumnNumber, Scope, At);
  }
  return At;
}

/// Line \p Index, or where that is line 0, of code that belongs to no line, the
/// nearest one of the same file and call: before it, else behind it. nvcc
/// writes copies of structures as loops with line 0 behind the line of the
/// statement.
int DebugLines::nearestLine(int Index) const {
  ArrayRef<PtxSourceLine> Lines = Current->Lines;
  const PtxSourceLine &L = Lines[size_t(Index)];
  if (L.Line != 0)
    return Index;
  auto Fits = [&](const PtxSourceLine &Other) {
    return Other.Line != 0 && Other.File == L.File &&
           Other.InlinedAt == L.InlinedAt;
  };
  // What is further away is of other statements.
  constexpr int Furthest = 256;
  for (int I = Index - 1; I >= std::max(0, Index - Furthest); --I)
    if (Fits(Lines[size_t(I)]))
      return I;
  const int End = std::min(int(Lines.size()), Index + Furthest);
  for (int I = Index + 1; I < End; ++I)
    if (Fits(Lines[size_t(I)]))
      return I;
  return Index;
}

DebugLoc DebugLines::at(int Index) {
  if (Index < 0 || !Subprogram)
    return DebugLoc();
  Index = nearestLine(Index);
  std::optional<DebugLoc> &Cached = Known[size_t(Index)];
  if (Cached)
    return *Cached;
  const PtxSourceLine &L = Current->Lines[size_t(Index)];
  DIFile *File = file(L.File);
  DILocation *Caller = nullptr;
  StringRef Name;
  if (L.InlinedAt) {
    Caller = inlinedAt(size_t(Index));
    Name = stringAt(L);
  } else if (const size_t At = L.Comment.find("@["); At != StringRef::npos) {
    Caller = inComment(L.Comment.drop_front(At + 2));
  }
  DIScope *Scope = Subprogram;
  if (Caller) {
    DISubprogram *&Function = Inlined[(Name + "|" + Twine(L.File)).str()];
    if (!Function)
      Function = function(demangle(Name).c_str(), File, 0);
    Scope = Function;
  } else if (File != Subprogram->getFile()) {
    Scope = Builder.createLexicalBlockFile(Subprogram, File);
  }
  Cached = DebugLoc(DILocation::get(To.getContext(), L.Line,
                                    std::min(L.Column, 65535u), Scope, Caller));
  return *Cached;
}

void DebugLines::finish() {
  if (Unit)
    Builder.finalize();
}
