//===- Matrix.cpp - Matrices in the registers of a warp -------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matrix.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

using namespace gpuocc::execute;
using namespace llvm;

namespace {

struct TypeRow {
  StringLiteral Text;
  unsigned Bits;
};

} // namespace

static constexpr TypeRow Types[] = {
#define MATRIX_TYPE(Enum, Text, Bits) {Text, Bits},
#include "MatrixTypes.def"
};

unsigned gpuocc::execute::bitsOf(MatrixType T) { return Types[size_t(T)].Bits; }

std::optional<MatrixType> gpuocc::execute::matrixType(StringRef Text) {
  for (size_t I = 0; I != std::size(Types); ++I)
    if (Types[I].Text == Text)
      return MatrixType(I);
  return std::nullopt;
}

bool gpuocc::execute::parseShape(StringRef Word, MatrixForm &Form) {
  constexpr uint16_t Most = 256;
  auto Take = [&](StringRef Letter, uint16_t &Extent) {
    return Word.consume_front(Letter) && !Word.consumeInteger(10, Extent) &&
           Extent > 0 && Extent <= Most && Extent % 4 == 0;
  };
  return Take("m", Form.M) && Take("n", Form.N) && Take("k", Form.K) &&
         Word.empty();
}

MatrixPlace gpuocc::execute::placeOf(const MatrixForm &Form, MatrixPart P,
                                     unsigned Lane, unsigned I) {
  if (Form.IsOpaque) {
    const unsigned Number = Lane * Form.perLane(P) + I;
    return {Number / Form.columns(P), Number % Form.columns(P)};
  }
  const unsigned Group = Lane / 4, InGroup = Lane % 4;
  const bool HasTwoHalves = Form.M == 16;
  if (P == MatrixPart::Sum)
    return {Group + 8 * (I / 2), InGroup * 2 + I % 2};
  const unsigned Bits = bitsOf(P == MatrixPart::A ? Form.A : Form.B);
  const unsigned PerRegister = std::max(1u, 32 / Bits);
  const unsigned Register = I / PerRegister;
  const unsigned Along = InGroup * PerRegister + I % PerRegister;
  if (P == MatrixPart::B)
    return {Along + 4 * PerRegister * Register, Group};
  if (!HasTwoHalves)
    return {Group, Along + 4 * PerRegister * Register};
  return {Group + 8 * (Register % 2), Along + 4 * PerRegister * (Register / 2)};
}

static uint64_t bitsAt(const void *Bytes, unsigned Bits, uint64_t I) {
  if (Bits < 8) {
    const uint64_t At = I * Bits;
    return static_cast<const uint8_t *>(Bytes)[At / 8] >> (At % 8) &
           ((1u << Bits) - 1);
  }
  uint64_t Word = 0;
  std::memcpy(&Word, static_cast<const char *>(Bytes) + I * Bits / 8, Bits / 8);
  return Word;
}

static void setBitsAt(void *Bytes, unsigned Bits, uint64_t I, uint64_t Word) {
  if (Bits < 8) {
    uint8_t &Byte = static_cast<uint8_t *>(Bytes)[I * Bits / 8];
    const unsigned Shift = unsigned(I * Bits % 8), Mask = (1u << Bits) - 1;
    Byte = uint8_t((Byte & ~(Mask << Shift)) | ((Word & Mask) << Shift));
    return;
  }
  std::memcpy(static_cast<char *>(Bytes) + I * Bits / 8, &Word, Bits / 8);
}

/// A number with \p Mantissa bits behind the point and \p Exponent bits of
/// exponent; the highest exponent is that of infinity where \p HasInfinity.
static double smallFloat(uint64_t Bits, unsigned Exponent, unsigned Mantissa,
                         bool HasInfinity) {
  const int Bias = (1 << (Exponent - 1)) - 1;
  const uint64_t Fraction = Bits & ((1u << Mantissa) - 1);
  const int Power = int(Bits >> Mantissa & ((1u << Exponent) - 1));
  const int Highest = (1 << Exponent) - 1;
  double V;
  if (Power == Highest && HasInfinity)
    V = Fraction == 0 ? std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::quiet_NaN();
  else if (Power == Highest && Fraction + 1 == 1u << Mantissa)
    V = std::numeric_limits<double>::quiet_NaN();
  else if (Power == 0)
    V = std::ldexp(double(Fraction), 1 - Bias - int(Mantissa));
  else
    V = std::ldexp(double(Fraction + (1u << Mantissa)),
                   Power - Bias - int(Mantissa));
  return Bits >> (Exponent + Mantissa) & 1 ? -V : V;
}

static double valueOf(MatrixType T, uint64_t Bits) {
  switch (T) {
  case MatrixType::F16:
    return smallFloat(Bits, 5, 10, true);
  case MatrixType::BF16:
    return smallFloat(Bits, 8, 7, true);
  case MatrixType::E4M3:
    return smallFloat(Bits, 4, 3, false);
  case MatrixType::E5M2:
    return smallFloat(Bits, 5, 2, true);
  case MatrixType::TF32:
    // The lower bits are not looked at.
    return bit_cast<float>(uint32_t(Bits) & ~uint32_t(0x1fff));
  case MatrixType::F32:
    return bit_cast<float>(uint32_t(Bits));
  case MatrixType::F64:
    return bit_cast<double>(Bits);
  case MatrixType::S32:
    return int32_t(Bits);
  case MatrixType::S8:
    return int8_t(Bits);
  case MatrixType::S4:
    return int(Bits & 7) - int(Bits & 8);
  case MatrixType::U8:
  case MatrixType::U4:
  case MatrixType::B1:
    return double(Bits);
  }
  return 0;
}

/// \p V as a half, rounded to nearest even.
static uint16_t halfOf(double V) {
  const uint16_t Sign = std::signbit(V) ? 0x8000 : 0;
  const double Size = std::fabs(V);
  if (std::isnan(V))
    return 0x7fff;
  if (Size >= 65520)
    return Sign | 0x7c00;
  int Power = 0;
  std::frexp(Size, &Power);
  // The distance of neighbours is 2^(Power - 11), and 2^-24 at least.
  const int Unit = std::max(Power - 11, -24);
  const double Rounded = std::nearbyint(std::ldexp(Size, -Unit));
  // Carries go on into the exponent.
  return Sign |
         (Unit == -24
              ? uint16_t(Rounded)
              : uint16_t(uint16_t((Unit + 24) << 10) + uint16_t(Rounded)));
}

static uint64_t bitsFor(MatrixType T, double V, bool Saturates) {
  switch (T) {
  case MatrixType::F16:
    return halfOf(V);
  case MatrixType::F64:
    return bit_cast<uint64_t>(V);
  case MatrixType::S32: {
    constexpr double Least = std::numeric_limits<int32_t>::min(),
                     Most = std::numeric_limits<int32_t>::max();
    return uint32_t(int64_t(Saturates ? std::clamp(V, Least, Most) : V));
  }
  default:
    return bit_cast<uint32_t>(float(V));
  }
}

static const MatrixRequest &requestOf(const WarpRequest &Lane) {
  return *reinterpret_cast<const MatrixRequest *>(Lane.Value);
}

namespace {

/// A matrix by rows.
struct Matrix {
  Matrix(const MatrixForm &Form, MatrixPart P)
      : Columns(Form.columns(P)), Values(Form.rows(P) * Columns) {}
  double &at(MatrixPlace P) { return Values[P.Row * Columns + P.Column]; }
  double at(unsigned Row, unsigned Column) const {
    return Values[Row * Columns + Column];
  }

  unsigned Columns;
  std::vector<double> Values;
};

} // namespace

static Matrix gather(const MatrixForm &Form, MatrixPart P, MatrixType T,
                     uint32_t Members, ArrayRef<WarpRequest *> Lanes) {
  Matrix Out(Form, P);
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane) {
    if (!(Members >> Lane & 1))
      continue;
    const MatrixRequest &R = requestOf(*Lanes[Lane]);
    const void *From = P == MatrixPart::A   ? R.A
                       : P == MatrixPart::B ? R.B
                                            : R.C;
    for (unsigned I = 0; I != Form.perLane(P); ++I)
      Out.at(placeOf(Form, P, Lane, I)) =
          valueOf(T, bitsAt(From, bitsOf(T), I));
  }
  return Out;
}

static double product(const MatrixForm &Form, double X, double Y, double Sum) {
  if (Form.A != MatrixType::B1)
    return std::fma(X, Y, Sum);
  return Sum + (Form.CountsDifferences ? X != Y : X * Y != 0);
}

static void multiply(uint32_t Members, ArrayRef<WarpRequest *> Lanes) {
  const MatrixForm &Form = *requestOf(*Lanes[countr_zero(Members)]).Form;
  const Matrix A = gather(Form, MatrixPart::A, Form.A, Members, Lanes);
  const Matrix B = gather(Form, MatrixPart::B, Form.B, Members, Lanes);
  Matrix Sum = gather(Form, MatrixPart::Sum, Form.C, Members, Lanes);
  for (unsigned Row = 0; Row != Form.M; ++Row)
    for (unsigned Column = 0; Column != Form.N; ++Column) {
      double &S = Sum.at({Row, Column});
      for (unsigned K = 0; K != Form.K; ++K)
        S = product(Form, A.at(Row, K), B.at(K, Column), S);
    }
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    for (unsigned I = 0;
         Members >> Lane & 1 && I != Form.perLane(MatrixPart::Sum); ++I)
      setBitsAt(requestOf(*Lanes[Lane]).D, bitsOf(Form.D), I,
                bitsFor(Form.D, Sum.at(placeOf(Form, MatrixPart::Sum, Lane, I)),
                        Form.Saturates));
}

namespace {

constexpr unsigned Side = 8;
/// A row holds four registers, one of each of four lanes.
constexpr unsigned LanesPerRow = 4;
using Square = uint16_t[Side][Side];

} // namespace

/// Register \p Register of each lane, as a square.
template <typename VisitT>
static void forEachElement(bool IsTransposed, VisitT Visit) {
  for (unsigned Lane = 0; Lane != WarpLanes; ++Lane)
    for (unsigned Half = 0; Half != 2; ++Half) {
      const unsigned Row = Lane / LanesPerRow,
                     Column = Lane % LanesPerRow * 2 + Half;
      Visit(Lane, Half, IsTransposed ? Column : Row,
            IsTransposed ? Row : Column);
    }
}

/// The row that lane \p Lane names.
static void *rowOf(const WarpRequest &Lane) {
  uint64_t Address = 0;
  std::memcpy(&Address, requestOf(Lane).A, sizeof(Address));
  return reinterpret_cast<void *>(Address);
}

static void loadSquares(uint32_t Members, ArrayRef<WarpRequest *> Lanes) {
  const MatrixMove Move = requestOf(*Lanes[countr_zero(Members)]).Move;
  for (unsigned M = 0; M != Move.Count; ++M) {
    Square Loaded = {};
    for (unsigned Row = 0; Row != Side; ++Row)
      if (const unsigned Lane = M * Side + Row; Members >> Lane & 1)
        std::memcpy(Loaded[Row], rowOf(*Lanes[Lane]), sizeof(Loaded[Row]));
    forEachElement(Move.IsTransposed, [&](unsigned Lane, unsigned Half,
                                          unsigned Row, unsigned Column) {
      if (Members >> Lane & 1)
        setBitsAt(requestOf(*Lanes[Lane]).D, 16, M * 2 + Half,
                  Loaded[Row][Column]);
    });
  }
}

static void storeSquares(uint32_t Members, ArrayRef<WarpRequest *> Lanes) {
  const MatrixMove Move = requestOf(*Lanes[countr_zero(Members)]).Move;
  for (unsigned M = 0; M != Move.Count; ++M) {
    Square Stored = {};
    forEachElement(Move.IsTransposed, [&](unsigned Lane, unsigned Half,
                                          unsigned Row, unsigned Column) {
      if (Members >> Lane & 1)
        Stored[Row][Column] =
            uint16_t(bitsAt(requestOf(*Lanes[Lane]).B, 16, M * 2 + Half));
    });
    for (unsigned Row = 0; Row != Side; ++Row)
      if (const unsigned Lane = M * Side + Row; Members >> Lane & 1)
        std::memcpy(rowOf(*Lanes[Lane]), Stored[Row], sizeof(Stored[Row]));
  }
}

static void transposeSquare(uint32_t Members, ArrayRef<WarpRequest *> Lanes) {
  Square Held = {};
  forEachElement(false, [&](unsigned Lane, unsigned Half, unsigned Row,
                            unsigned Column) {
    if (Members >> Lane & 1)
      Held[Row][Column] = uint16_t(bitsAt(requestOf(*Lanes[Lane]).A, 16, Half));
  });
  forEachElement(
      true, [&](unsigned Lane, unsigned Half, unsigned Row, unsigned Column) {
        if (Members >> Lane & 1)
          setBitsAt(requestOf(*Lanes[Lane]).D, 16, Half, Held[Row][Column]);
      });
}

void gpuocc::execute::answerMatrix(WarpOperation Operation, uint32_t Members,
                                   ArrayRef<WarpRequest *> Lanes) {
  switch (Operation) {
  case WarpOperation::MatrixLoad:
    return loadSquares(Members, Lanes);
  case WarpOperation::MatrixStore:
    return storeSquares(Members, Lanes);
  case WarpOperation::MatrixTranspose:
    return transposeSquare(Members, Lanes);
  default:
    return multiply(Members, Lanes);
  }
}

static uint64_t elementOf(MatrixPlace P, uint32_t Stride, bool IsColumns) {
  return IsColumns ? uint64_t(P.Column) * Stride + P.Row
                   : uint64_t(P.Row) * Stride + P.Column;
}

void gpuocc::execute::loadMatrixPart(const MatrixForm &Form, MatrixPart P,
                                     unsigned Lane, const void *From,
                                     uint32_t Stride, bool IsColumns,
                                     void *Registers) {
  const unsigned Bits = bitsOf(P == MatrixPart::A   ? Form.A
                               : P == MatrixPart::B ? Form.B
                                                    : Form.C);
  for (unsigned I = 0; I != Form.perLane(P); ++I)
    setBitsAt(Registers, Bits, I,
              bitsAt(From, Bits,
                     elementOf(placeOf(Form, P, Lane, I), Stride, IsColumns)));
}

void gpuocc::execute::storeMatrixPart(const MatrixForm &Form, unsigned Lane,
                                      const void *Registers, uint32_t Stride,
                                      bool IsColumns, void *To) {
  const unsigned Bits = bitsOf(Form.D);
  for (unsigned I = 0; I != Form.perLane(MatrixPart::Sum); ++I)
    setBitsAt(
        To, Bits,
        elementOf(placeOf(Form, MatrixPart::Sum, Lane, I), Stride, IsColumns),
        bitsAt(Registers, Bits, I));
}
