//===- HostLaunch.cpp - Expressions of host code --------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Kernel/HostLaunch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace gpuocc;
using namespace llvm;

HostExpr HostExpr::number(int64_t Value) {
  HostExpr E;
  E.Value.Integer = Value;
  return E;
}

HostExpr HostExpr::variable(std::string Name) {
  HostExpr E;
  E.What = Kind::Variable;
  E.Name = std::move(Name);
  return E;
}

HostExpr HostExpr::operation(std::string Name, std::vector<HostExpr> Operands) {
  HostExpr E;
  E.What = Kind::Operation;
  E.Name = std::move(Name);
  E.Operands = std::move(Operands);
  if (Known<ScalarArgument> Value = evaluate(E, {})) {
    E = HostExpr();
    E.Value = *Value;
  }
  return E;
}

static double asReal(const ScalarArgument &A) {
  return A.IsReal ? A.Real : double(A.Integer);
}

static ScalarArgument integer(int64_t Value) { return {Value, 0, false}; }
static ScalarArgument real(double Value) { return {0, Value, true}; }

static bool isTrue(const ScalarArgument &A) {
  return A.IsReal ? A.Real != 0 : A.Integer != 0;
}

namespace {

using Result = std::optional<ScalarArgument>;

/// An operator of C with two operands, over integers and over real numbers;
/// null where C has none.
struct BinaryOperator {
  StringLiteral Name;
  /// Binds tighter the larger; 0 for functions.
  unsigned Precedence;
  Result (*Integers)(int64_t, int64_t);
  Result (*Reals)(double, double);
};

/// Integer arithmetic wraps, as on the machine.
template <typename Op> Result wrapping(int64_t A, int64_t B) {
  return integer(int64_t(Op()(uint64_t(A), uint64_t(B))));
}
template <typename Op> Result signedOp(int64_t A, int64_t B) {
  return integer(Op()(A, B));
}
template <typename Op> Result realOp(double A, double B) {
  return real(Op()(A, B));
}
template <typename Op> Result realTest(double A, double B) {
  return integer(Op()(A, B));
}

Result divide(int64_t A, int64_t B) {
  if (B == 0 || (B == -1 && A == std::numeric_limits<int64_t>::min()))
    return std::nullopt;
  return integer(A / B);
}

Result remainder(int64_t A, int64_t B) {
  return B == 0 || B == -1 ? std::nullopt : Result(integer(A % B));
}

Result shiftLeft(int64_t A, int64_t B) {
  return B < 0 || B > 63 ? std::nullopt
                         : Result(integer(int64_t(uint64_t(A) << B)));
}

Result shiftRight(int64_t A, int64_t B) {
  return B < 0 || B > 63 ? std::nullopt : Result(integer(A >> B));
}

constexpr BinaryOperator BinaryOperators[] = {
    {"*", 10, wrapping<std::multiplies<>>, realOp<std::multiplies<>>},
    {"/", 10, divide, realOp<std::divides<>>},
    {"%", 10, remainder, nullptr},
    {"+", 9, wrapping<std::plus<>>, realOp<std::plus<>>},
    {"-", 9, wrapping<std::minus<>>, realOp<std::minus<>>},
    {"<<", 8, shiftLeft, nullptr},
    {">>", 8, shiftRight, nullptr},
    {"<", 7, signedOp<std::less<>>, realTest<std::less<>>},
    {">", 7, signedOp<std::greater<>>, realTest<std::greater<>>},
    {"<=", 7, signedOp<std::less_equal<>>, realTest<std::less_equal<>>},
    {">=", 7, signedOp<std::greater_equal<>>, realTest<std::greater_equal<>>},
    {"==", 6, signedOp<std::equal_to<>>, realTest<std::equal_to<>>},
    {"!=", 6, signedOp<std::not_equal_to<>>, realTest<std::not_equal_to<>>},
    {"&", 5, signedOp<std::bit_and<>>, nullptr},
    {"^", 4, signedOp<std::bit_xor<>>, nullptr},
    {"|", 3, signedOp<std::bit_or<>>, nullptr},
    {"&&", 2, signedOp<std::logical_and<>>, realTest<std::logical_and<>>},
    {"||", 1, signedOp<std::logical_or<>>, realTest<std::logical_or<>>},
    {"min", 0,
     [](int64_t A, int64_t B) { return Result(integer(std::min(A, B))); },
     [](double A, double B) { return Result(real(std::min(A, B))); }},
    {"max", 0,
     [](int64_t A, int64_t B) { return Result(integer(std::max(A, B))); },
     [](double A, double B) { return Result(real(std::max(A, B))); }},
};

/// An operation with one operand.
struct UnaryOperator {
  StringLiteral Name;
  /// How C writes it; empty for conversions, which are not written.
  StringLiteral Text;
  Result (*Apply)(const ScalarArgument &);
};

template <typename T> Result toInteger(const ScalarArgument &A) {
  if (!A.IsReal)
    return integer(int64_t(T(A.Integer)));
  // C does not say what a number out of range becomes.
  if (!(A.Real > -9.2e18 && A.Real < 9.2e18))
    return std::nullopt;
  return integer(int64_t(T(int64_t(A.Real))));
}

constexpr UnaryOperator UnaryOperators[] = {
    {"neg", "-",
     [](const ScalarArgument &A) {
       return Result(A.IsReal ? real(-A.Real)
                              : integer(int64_t(0 - uint64_t(A.Integer))));
     }},
    {"~", "~",
     [](const ScalarArgument &A) {
       return A.IsReal ? Result() : Result(integer(~A.Integer));
     }},
    {"!", "!",
     [](const ScalarArgument &A) { return Result(integer(!isTrue(A))); }},
    {"ceil", "ceil",
     [](const ScalarArgument &A) {
       return Result(real(std::ceil(asReal(A))));
     }},
    {"floor", "floor",
     [](const ScalarArgument &A) {
       return Result(real(std::floor(asReal(A))));
     }},
    {"sqrt", "sqrt",
     [](const ScalarArgument &A) {
       return Result(real(std::sqrt(asReal(A))));
     }},
    {"bool", "",
     [](const ScalarArgument &A) { return Result(integer(isTrue(A))); }},
    {"int8", "", toInteger<int8_t>},
    {"uint8", "", toInteger<uint8_t>},
    {"int16", "", toInteger<int16_t>},
    {"uint16", "", toInteger<uint16_t>},
    {"int32", "", toInteger<int32_t>},
    {"uint32", "", toInteger<uint32_t>},
    {"int64", "", toInteger<int64_t>},
    {"uint64", "", toInteger<uint64_t>},
    {"float32", "",
     [](const ScalarArgument &A) { return Result(real(float(asReal(A)))); }},
    {"float64", "",
     [](const ScalarArgument &A) { return Result(real(asReal(A))); }},
};

} // namespace

template <typename Row, size_t N>
static const Row *findRow(const Row (&Table)[N], StringRef Name) {
  const Row *Found =
      find_if(Table, [&](const Row &R) { return R.Name == Name; });
  return Found == std::end(Table) ? nullptr : Found;
}

static Result apply(const HostExpr &E, ArrayRef<ScalarArgument> Values) {
  if (Values.size() == 1)
    if (const UnaryOperator *Op = findRow(UnaryOperators, E.Name))
      return Op->Apply(Values[0]);
  if (Values.size() != 2)
    return std::nullopt;
  const BinaryOperator *Op = findRow(BinaryOperators, E.Name);
  if (!Op)
    return std::nullopt;
  if (!Values[0].IsReal && !Values[1].IsReal)
    return Op->Integers(Values[0].Integer, Values[1].Integer);
  return Op->Reals ? Op->Reals(asReal(Values[0]), asReal(Values[1]))
                   : std::nullopt;
}

Known<ScalarArgument> gpuocc::evaluate(const HostExpr &E,
                                       const HostVariables &Variables) {
  using Answer = Known<ScalarArgument>;
  switch (E.What) {
  case HostExpr::Kind::Number:
    return E.Value;
  case HostExpr::Kind::Variable: {
    auto Found = Variables.find(E.Name);
    if (Found == Variables.end())
      return Answer::unknown("'" + E.Name + "' is not known");
    return Found->second;
  }
  case HostExpr::Kind::Operation:
    break;
  }
  if (E.Name == "?:" && E.Operands.size() == 3) {
    Answer Condition = evaluate(E.Operands[0], Variables);
    if (!Condition)
      return Condition;
    return evaluate(E.Operands[isTrue(*Condition) ? 1 : 2], Variables);
  }
  SmallVector<ScalarArgument, 2> Values;
  for (const HostExpr &Operand : E.Operands) {
    Answer Value = evaluate(Operand, Variables);
    if (!Value)
      return Value;
    Values.push_back(*Value);
  }
  if (Result Value = apply(E, Values))
    return *Value;
  return Answer::unknown("'" + hostExprText(E) + "' has no value");
}

/// Of the operators that stand before their operand.
static constexpr unsigned UnaryPrecedence = 11;

/// Writes \p E; in parentheses when it binds less than \p Around.
static void print(const HostExpr &E, unsigned Around, raw_ostream &OS) {
  switch (E.What) {
  case HostExpr::Kind::Number:
    if (E.Value.IsReal)
      OS << format("%g", E.Value.Real);
    else
      OS << E.Value.Integer;
    return;
  case HostExpr::Kind::Variable:
    OS << E.Name;
    return;
  case HostExpr::Kind::Operation:
    break;
  }
  auto Parenthesized = [&](unsigned Own, function_ref<void()> Inside) {
    OS << (Own < Around ? "(" : "");
    Inside();
    OS << (Own < Around ? ")" : "");
  };
  if (E.Operands.size() == 1) {
    const UnaryOperator *Op = findRow(UnaryOperators, E.Name);
    if (!Op || Op->Text.empty())
      return print(E.Operands[0], Around, OS);
    if (Op->Text.size() == 1)
      return Parenthesized(UnaryPrecedence, [&] {
        OS << Op->Text;
        print(E.Operands[0], UnaryPrecedence, OS);
      });
  }
  const BinaryOperator *Op = findRow(BinaryOperators, E.Name);
  if (Op && Op->Precedence != 0 && E.Operands.size() == 2)
    return Parenthesized(Op->Precedence, [&] {
      print(E.Operands[0], Op->Precedence, OS);
      OS << ' ' << E.Name << ' ';
      print(E.Operands[1], Op->Precedence + 1, OS);
    });
  if (E.Name == "?:" && E.Operands.size() == 3)
    return Parenthesized(0, [&] {
      print(E.Operands[0], 1, OS);
      OS << " ? ";
      print(E.Operands[1], 1, OS);
      OS << " : ";
      print(E.Operands[2], 0, OS);
    });
  OS << E.Name << '(';
  interleaveComma(E.Operands, OS,
                  [&](const HostExpr &Operand) { print(Operand, 0, OS); });
  OS << ')';
}

std::string gpuocc::hostExprText(const HostExpr &E) {
  std::string Text;
  raw_string_ostream OS(Text);
  print(E, 0, OS);
  return Text;
}

static bool isConversion(const HostExpr &E) {
  const UnaryOperator *Op = findRow(UnaryOperators, E.Name);
  return Op && Op->Text.empty();
}

StringRef gpuocc::variableOf(const HostExpr &E) {
  if (E.What == HostExpr::Kind::Variable)
    return E.Name;
  if (E.What == HostExpr::Kind::Operation && E.Operands.size() == 1 &&
      isConversion(E))
    return variableOf(E.Operands[0]);
  return "";
}

std::string gpuocc::hostExtentText(const HostExtent &E) {
  size_t Used = 3;
  while (Used > 1 && E[Used - 1] == HostExpr::number(1))
    --Used;
  std::string Text;
  for (size_t I = 0; I != Used; ++I)
    Text += (I ? " x " : "") + hostExprText(E[I]);
  return Text;
}
