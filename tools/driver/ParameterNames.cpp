//===- ParameterNames.cpp - Names of parameters from the source -----------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ParameterNames.h"
#include "gpuocc/Kernel/KernelName.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace gpuocc;
using namespace llvm;

static bool isWord(char C) { return isAlnum(C) || C == '_'; }

/// \p Source with comments blanked out.
static std::string withoutComments(StringRef Source) {
  std::string Text = Source.str();
  for (size_t I = Text.find('/'); I < Text.size(); I = Text.find('/', I + 1)) {
    StringRef Close;
    if (Text.compare(I, 2, "//") == 0)
      Close = "\n";
    else if (Text.compare(I, 2, "/*") == 0)
      Close = "*/";
    else
      continue;
    size_t End = std::min(Text.find(Close.data(), I + 2), Text.size());
    for (; I != End; ++I)
      if (Text[I] != '\n')
        Text[I] = ' ';
    if (Close == "*/" && End != Text.size())
      Text[End] = Text[End + 1] = ' ';
  }
  return Text;
}

/// What follows the word \p Function in \p Text; null when it is not there.
static StringRef afterWord(StringRef Text, StringRef Function) {
  for (size_t At = Text.find(Function); At != StringRef::npos;
       At = Text.find(Function, At + 1)) {
    StringRef Rest = Text.drop_front(At + Function.size());
    bool Starts = At == 0 || !isWord(Text[At - 1]);
    if (Starts && (Rest.empty() || !isWord(Rest.front())))
      return Rest;
  }
  return StringRef();
}

/// The last identifier of \p Declaration: "n" of "const int n = 3".
static std::string lastIdentifier(StringRef Declaration) {
  Declaration = Declaration.split('=').first.split('[').first.rtrim();
  size_t Start = Declaration.size();
  while (Start != 0 && isWord(Declaration[Start - 1]))
    --Start;
  // A type alone has nothing before it that could be one.
  if (Declaration.take_front(Start).trim().empty())
    return "";
  return Declaration.drop_front(Start).str();
}

std::vector<std::string> gpuocc::parameterNamesInSource(StringRef Source,
                                                        unsigned Line,
                                                        StringRef Function) {
  if (Function.empty() || Line == 0)
    return {};
  std::string Clean = withoutComments(Source);
  StringRef Text = Clean;
  for (unsigned I = 1; I != Line && !Text.empty(); ++I)
    Text = Text.split('\n').second;
  StringRef Rest = afterWord(Text, Function);
  size_t Open = Rest.find('(');
  if (Open == StringRef::npos)
    return {};
  std::vector<std::string> Names;
  int Depth = 0;
  size_t Start = Open + 1;
  for (size_t I = Open; I != Rest.size(); ++I) {
    char C = Rest[I];
    Depth += C == '(' || C == '[' || C == '{' || C == '<';
    Depth -= C == ')' || C == ']' || C == '}' || C == '>';
    bool Ends = Depth == 0 && C == ')';
    if (!Ends && !(Depth == 1 && C == ','))
      continue;
    StringRef Parameter = Rest.slice(Start, I).trim();
    if (!(Ends && Names.empty() && (Parameter.empty() || Parameter == "void")))
      Names.push_back(lastIdentifier(Parameter));
    Start = I + 1;
    if (Ends)
      return Names;
  }
  return {};
}

void gpuocc::nameParameters(KernelFacts &Facts) {
  bool Named = any_of(Facts.Parameters,
                      [](const Parameter &P) { return !P.Name.empty(); });
  if (Named || Facts.Parameters.empty() || !Facts.Place.isValid())
    return;
  auto Buffer = MemoryBuffer::getFile(Facts.Place.File, /*IsText=*/true);
  if (!Buffer)
    return;
  std::vector<std::string> Names = parameterNamesInSource(
      (*Buffer)->getBuffer(), Facts.Place.Line, baseName(Facts.Demangled));
  if (Names.size() != Facts.Parameters.size())
    return;
  for (auto [P, Name] : zip(Facts.Parameters, Names))
    P.Name = Name;
}
