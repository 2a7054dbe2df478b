//===- Diagnostics.h - Findings as diagnostics ------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_LSP_DIAGNOSTICS_H
#define GPUOCC_TOOLS_LSP_DIAGNOSTICS_H

#include "Protocol.h"
#include "Unit.h"

namespace gpuocc::editor {

/// What the editor shows for \p Of in \p Shown: a diagnostic for each problem
/// of the report, ranked by gain, and the reason where the text as it stands
/// now has no report. \p PageOf gives the URI of the page of a rule.
std::vector<Diagnostic>
diagnosticsOf(const Unit &Of, const ShownFile &Shown, const Settings &Set,
              llvm::function_ref<std::string(RuleId)> PageOf);

/// What is wrong with the configuration file \p Path, whose text is \p Text.
std::vector<Diagnostic> configurationDiagnostics(const Document &Text,
                                                 llvm::StringRef Path);

} // namespace gpuocc::editor

#endif // GPUOCC_TOOLS_LSP_DIAGNOSTICS_H
