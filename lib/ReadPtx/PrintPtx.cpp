//===- PrintPtx.cpp - PTX to text -----------------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/ReadPtx/ParsePtx.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

using namespace gpuocc;
using namespace llvm;

static void printOffset(int64_t Offset, raw_ostream &OS) {
  if (Offset != 0)
    OS << '+' << Offset;
}

static void printAll(ArrayRef<PtxOperand> Operands, raw_ostream &OS) {
  ListSeparator Comma;
  for (const PtxOperand &O : Operands) {
    OS << Comma;
    printPtxOperand(O, OS);
  }
}

static void printAddress(const PtxOperand &O, raw_ostream &OS) {
  OS << '[' << O.Name;
  if (O.Name.empty())
    OS << O.Number;
  else
    printOffset(O.Number, OS);
  if (!O.Elements.empty())
    OS << ", ";
  printAll(O.Elements, OS);
  OS << ']';
}

void gpuocc::printPtxOperand(const PtxOperand &O, raw_ostream &OS) {
  if (O.Negated)
    OS << '!';
  switch (O.K) {
  case PtxOperand::Kind::Name:
    OS << O.Name;
    if (!O.Second.empty())
      OS << '|' << O.Second;
    printOffset(O.Number, OS);
    break;
  case PtxOperand::Kind::Integer:
    OS << O.Number;
    break;
  case PtxOperand::Kind::Float:
    if (O.FloatBits == 32)
      OS << format("0f%08llX", static_cast<unsigned long long>(O.Number));
    else
      OS << format("0d%016llX", static_cast<unsigned long long>(O.Number));
    break;
  case PtxOperand::Kind::Address:
    printAddress(O, OS);
    break;
  case PtxOperand::Kind::Vector:
    OS << '{';
    printAll(O.Elements, OS);
    OS << '}';
    break;
  case PtxOperand::Kind::List:
    OS << '(';
    printAll(O.Elements, OS);
    OS << ')';
    break;
  }
}

static void printVariable(const PtxVariable &V, raw_ostream &OS) {
  if (!V.Linkage.empty())
    OS << '.' << V.Linkage << ' ';
  OS << '.' << V.Space;
  if (!V.Attributes.empty())
    OS << ' ' << V.Attributes;
  if (V.AlignBytes != 0)
    OS << " .align " << V.AlignBytes;
  if (V.VectorLength != 1)
    OS << " .v" << V.VectorLength;
  OS << " ." << V.Type.Text;
  if (V.IsPointer) {
    OS << " .ptr";
    if (!V.PointerSpace.empty())
      OS << " ." << V.PointerSpace;
    if (V.PointeeAlignBytes != 0)
      OS << " .align " << V.PointeeAlignBytes;
  }
  OS << ' ' << V.Name;
  if (V.NumRegisters != 0)
    OS << '<' << V.NumRegisters << '>';
  if (V.NumElements && *V.NumElements != 0)
    OS << '[' << *V.NumElements << ']';
  else if (V.NumElements)
    OS << "[]";
  if (!V.Initializer.empty())
    OS << " = " << V.Initializer;
}

static void printParameters(ArrayRef<PtxVariable> Parameters, raw_ostream &OS) {
  ListSeparator Comma(",\n\t");
  OS << "(\n\t";
  for (const PtxVariable &V : Parameters) {
    OS << Comma;
    printVariable(V, OS);
  }
  OS << "\n)";
}

static void printDirective(const PtxDirective &D, raw_ostream &OS) {
  OS << "\n." << D.Name;
  if (!D.Text.empty())
    OS << " \"" << D.Text << "\";";
  StringRef Before = " ";
  for (uint64_t Number : D.Numbers) {
    OS << Before << Number;
    Before = ", ";
  }
}

static void printSourceLine(const PtxSourceLine &L, raw_ostream &OS) {
  OS << "\t.loc\t" << L.File << ' ' << L.Line << ' ' << L.Column;
  if (L.InlinedAt) {
    OS << ", function_name " << L.Function;
    printOffset(int64_t(L.FunctionOffset), OS);
    OS << ", inlined_at " << L.InlinedAt->File << ' ' << L.InlinedAt->Line
       << ' ' << L.InlinedAt->Column;
  }
  if (!L.Comment.empty())
    OS << " // " << L.Comment;
  OS << '\n';
}

static void printStatement(const PtxFunction &F, const PtxStatement &S,
                           raw_ostream &OS) {
  switch (S.K) {
  case PtxStatement::Kind::Instruction:
    OS << '\t';
    if (!S.Guard.empty())
      OS << '@' << (S.GuardNegated ? "!" : "") << S.Guard << ' ';
    OS << S.Text << (S.Operands.empty() ? "" : " \t");
    printAll(S.Operands, OS);
    OS << ";\n";
    break;
  case PtxStatement::Kind::Label:
    OS << S.Text << ":\n";
    break;
  case PtxStatement::Kind::Variable:
    OS << '\t';
    printVariable(F.Variables[S.Variable], OS);
    OS << ";\n";
    break;
  case PtxStatement::Kind::Targets:
    OS << S.Text << ": ." << S.Directive << ' ';
    printAll(S.Operands, OS);
    OS << ";\n";
    break;
  case PtxStatement::Kind::Prototype:
    OS << S.Text << ": .callprototype " << S.Directive << ";\n";
    break;
  case PtxStatement::Kind::Pragma:
    OS << "\t.pragma \"" << S.Text << "\";\n";
    break;
  case PtxStatement::Kind::BlockBegin:
    OS << "\t{\n";
    break;
  case PtxStatement::Kind::BlockEnd:
    OS << "\t}\n";
    break;
  }
}

static void printFunction(const PtxFunction &F, raw_ostream &OS) {
  if (!F.Linkage.empty())
    OS << '.' << F.Linkage << ' ';
  OS << (F.IsKernel ? ".entry " : ".func ");
  if (!F.Attributes.empty())
    OS << F.Attributes << ' ';
  if (!F.Results.empty())
    printParameters(F.Results, OS);
  OS << ' ' << F.Name;
  printParameters(F.Parameters, OS);
  for (const PtxDirective &D : F.Directives)
    printDirective(D, OS);
  if (!F.HasBody) {
    OS << ";\n\n";
    return;
  }
  OS << "\n{\n";
  int Line = -1;
  for (const PtxStatement &S : F.Body) {
    for (; Line < S.SourceLine; ++Line)
      printSourceLine(F.Lines[size_t(Line + 1)], OS);
    printStatement(F, S, OS);
  }
  OS << "}\n\n";
}

void gpuocc::printPtx(const PtxModule &M, raw_ostream &OS) {
  OS << ".version " << M.Version << "\n.target " << M.Architecture;
  for (StringRef Option : M.TargetOptions)
    OS << ", " << Option;
  OS << "\n.address_size " << M.AddressBits << "\n\n";
  for (StringRef Pragma : M.Pragmas)
    OS << ".pragma \"" << Pragma << "\";\n";
  // Functions may be named before they are defined, and so in initializers.
  for (const PtxFunction &F : M.Functions)
    if (!F.HasBody)
      printFunction(F, OS);
  for (const PtxVariable &V : M.Variables) {
    printVariable(V, OS);
    OS << ";\n";
  }
  for (const PtxFunction &F : M.Functions)
    if (F.HasBody)
      printFunction(F, OS);
  for (const auto &[Name, Target] : M.Aliases)
    OS << ".alias " << Name << ", " << Target << ";\n";
  for (const PtxFile &F : M.Files) {
    OS << ".file\t" << F.Index << " \"" << F.Path << '"';
    for (uint64_t Number : F.Numbers)
      OS << ", " << Number;
    OS << '\n';
  }
  for (const PtxSection &S : M.Sections)
    // A name with a dot inside is a word, which has none in front.
    OS << ".section\t" << (S.Name.contains('.') ? "" : ".") << S.Name << "\n{\n"
       << S.Text << "\n}\n";
}
