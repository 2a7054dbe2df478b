//===- CubinFile.h - Sections of a cubin ------------------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_TOOLS_SOURCES_CUBINFILE_H
#define GPUOCC_TOOLS_SOURCES_CUBINFILE_H

#include "gpuocc/Kernel/KernelFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Object/ELF.h"
#include <string>
#include <vector>

namespace gpuocc {

/// A cubin is an ELF file for CUDA.
using CubinFile = llvm::object::ELFFile<llvm::object::ELF64LE>;

/// True if \p Bytes begin with a cubin.
bool isCubin(llvm::StringRef Bytes);

/// The cubins in \p Bytes, which may be one, or hold some that are not
/// compressed. Each goes to the end of its last section. What is damaged is
/// left out.
std::vector<llvm::StringRef> findCubins(llvm::StringRef Bytes);

/// The cubin that \p Bytes begin with, to the end of its last section. Fails
/// where it is cut off or its head is damaged.
llvm::Expected<llvm::StringRef> cubinAtStart(llvm::StringRef Bytes);

/// What section \p Name holds; empty where there is none.
llvm::StringRef sectionOf(const CubinFile &File, llvm::StringRef Name);

/// Calls \p Visit with the name and the head of each section.
void forEachSection(
    const CubinFile &File,
    llvm::function_ref<void(llvm::StringRef, const CubinFile::Elf_Shdr &)>
        Visit);

/// A symbol of a cubin.
struct CubinSymbol {
  std::string Name;
  /// A kernel, and not a function or a variable.
  bool IsKernel = false;
  uint64_t Bytes = 0;
};

/// Symbols by their number.
std::vector<CubinSymbol> symbolsOf(const CubinFile &File);

/// An attribute of a section .nv.info: its number and what it says.
struct CubinAttribute {
  uint8_t Number = 0;
  llvm::StringRef Value;
};

/// The attributes in \p Bytes, what a section .nv.info holds. What is cut off
/// is left out.
std::vector<CubinAttribute> attributesOf(llvm::StringRef Bytes);

/// Registers and stack of each kernel.
llvm::StringMap<ResourceUse> resourcesOf(const CubinFile &File);

} // namespace gpuocc

#endif // GPUOCC_TOOLS_SOURCES_CUBINFILE_H
