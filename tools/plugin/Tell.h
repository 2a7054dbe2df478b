//===- Tell.h - What the plugin could not do --------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_PLUGIN_TELL_H
#define GPUOCC_TOOLS_PLUGIN_TELL_H

#include "driver/Session.h"
#include "llvm/Support/Error.h"

namespace gpuocc {

/// Collects what kept the plugin from its work. None of it ends a compilation:
/// it becomes remarks NotAnalyzed and, once a run, one warning.
class Diagnostics {
public:
  void add(llvm::Error E);
  void add(llvm::StringRef Text);
  /// A note of one kernel, which has a remark of its own.
  void add(const SessionNote &Note);

  /// All that was added without a kernel.
  std::string textOfModule() const;
  /// One for the whole module, of no kernel, and those of kernels behind it.
  std::vector<SessionNote> remarks() const;

  /// Prints the warning. Not through the compiler, which makes errors of its
  /// warnings under -Werror.
  void warn(llvm::StringRef SourceFile) const;

private:
  std::vector<SessionNote> Notes;
};

} // namespace gpuocc

#endif // GPUOCC_TOOLS_PLUGIN_TELL_H
