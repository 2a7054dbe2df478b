//===- SourceLocation.h - Places in the user's source ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_SUPPORT_SOURCELOCATION_H
#define GPUOCC_SUPPORT_SOURCELOCATION_H

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gpuocc {

/// One place in a source file; Line and Column count from 1, 0 is unknown.
struct SourcePlace {
  std::string File;
  unsigned Line = 0;
  unsigned Column = 0;
  /// The function that contains the place, as written in the source.
  std::string Function;

  bool isValid() const { return Line != 0; }
  bool operator==(const SourcePlace &) const = default;
};

/// Where an operation comes from: the innermost place first, then the call
/// sites through which it was inlined, outermost (in the kernel itself) last.
struct SourceLocation {
  std::vector<SourcePlace> Places;

  bool isValid() const { return !Places.empty() && Places.front().isValid(); }
  const SourcePlace &innermost() const { return Places.front(); }
  const SourcePlace &outermost() const { return Places.back(); }
  bool operator==(const SourceLocation &) const = default;
};

/// The locations of a kernel. Copies share them until one is edited: variants
/// of a kernel differ in operations, and have locations in their thousands.
class SourceLocations {
public:
  using const_iterator = std::vector<SourceLocation>::const_iterator;

  SourceLocations() = default;
  SourceLocations(std::vector<SourceLocation> Locations)
      : Shared(std::make_shared<std::vector<SourceLocation>>(
            std::move(Locations))) {}

  size_t size() const { return Shared ? Shared->size() : 0; }
  bool empty() const { return size() == 0; }
  const SourceLocation &operator[](size_t I) const { return (*Shared)[I]; }
  const_iterator begin() const { return all().begin(); }
  const_iterator end() const { return all().end(); }

  /// The locations, for this copy alone.
  std::vector<SourceLocation> &edit() {
    if (!Shared || Shared.use_count() > 1)
      Shared = std::make_shared<std::vector<SourceLocation>>(all());
    return *Shared;
  }

  const std::vector<SourceLocation> &all() const {
    static const std::vector<SourceLocation> None;
    return Shared ? *Shared : None;
  }

  bool operator==(const SourceLocations &Other) const {
    return Shared == Other.Shared || all() == Other.all();
  }

private:
  std::shared_ptr<std::vector<SourceLocation>> Shared;
};

} // namespace gpuocc

#endif // GPUOCC_SUPPORT_SOURCELOCATION_H
