//===- KernelName.h - What people call a kernel ----------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_KERNEL_KERNELNAME_H
#define GPUOCC_KERNEL_KERNELNAME_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace gpuocc {

/// The name in \p Demangled ("void ns::scale<float>(float*, int)") without
/// return type and parameters: "ns::scale<float>".
llvm::StringRef qualifiedName(llvm::StringRef Demangled);

/// The same without namespaces and template arguments: "scale".
llvm::StringRef baseName(llvm::StringRef Demangled);

/// The types of its parameters in \p Demangled: "float*", "int"; empty where it
/// names none.
llvm::SmallVector<llvm::StringRef, 8> parameterTypes(llvm::StringRef Demangled);

/// True if \p Type, as parameterTypes() has it, points to structures: to
/// neither a number nor what is not known. CUDA's vectors (float3) are
/// structures.
bool pointsToStructure(llvm::StringRef Type);

/// \p Demangled for a line of text: as it is up to 120 characters. Longer ones
/// lose their parameters and result, then namespaces of their template
/// arguments and what is nested in these: "device_kernel<GemmUniversal<...>>".
std::string shortName(llvm::StringRef Demangled);

/// The name of a function of a source file in \p Mangled, its name in a module:
/// with -fgpu-rdc clang appends what tells functions that only one file sees
/// from those of others, as in "_ZL1kPf__intern__3ba387bbbb8d071e"; nvcc puts
/// it in front, as in "__nv_static_21__e0dd8bce_4_n_cu_main__Z1kPf".
llvm::StringRef nameInSource(llvm::StringRef Mangled);

/// nameInSource() without what compilers mangle in different ways: clang marks
/// functions that only one file sees ("_ZL1kPf"), nvcc does not ("_Z1kPf"), and
/// gives unnamed namespaces the name of their file. Equal for one kernel
/// whoever compiled it.
std::string comparableName(llvm::StringRef Mangled);

} // namespace gpuocc

#endif // GPUOCC_KERNEL_KERNELNAME_H
