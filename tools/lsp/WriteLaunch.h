//===- WriteLaunch.h - An assumed launch, written down ----------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_WRITELAUNCH_H
#define GPUOCC_TOOLS_LSP_WRITELAUNCH_H

#include "Protocol.h"
#include "Unit.h"

namespace gpuocc::editor {

/// A configuration file that may not exist yet.
struct ConfigurationFile {
  /// Absolute.
  std::string Path;
  std::string Text;
  bool Exists = false;
};

/// For each kernel that starts in the lines of \p Range and whose launch or
/// arguments nobody said: an action that writes what was assumed into \p File,
/// where it can be corrected. The edited file is read before it is offered.
std::vector<CodeAction> launchActions(const Unit &Of, const ShownFile &Shown,
                                      const lsp::Range &Range,
                                      const ConfigurationFile &File);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_WRITELAUNCH_H
