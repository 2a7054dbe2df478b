//===- BuildId.cpp - Which build is running -------------------------------===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpuocc/Support/BuildId.h"
#include "gpuocc/Support/KeptFiles.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <elf.h>
#include <link.h>

using namespace gpuocc;
using namespace llvm;

namespace {
/// The loaded file that holds an address.
struct Holder {
  uintptr_t Address;
  std::string File, Id;
};
} // namespace

/// The build id among the notes of \p Header, of a file at \p Base; or "".
static std::string idInNotes(uintptr_t Base, const ElfW(Phdr) & Header) {
  const char *At = reinterpret_cast<const char *>(Base + Header.p_vaddr);
  const char *End = At + Header.p_memsz;
  while (At + sizeof(ElfW(Nhdr)) <= End) {
    const auto *Note = reinterpret_cast<const ElfW(Nhdr) *>(At);
    const char *Name = At + sizeof(*Note);
    const char *Text = Name + alignTo(Note->n_namesz, 4);
    if (Text + Note->n_descsz > End)
      return "";
    if (Note->n_type == NT_GNU_BUILD_ID &&
        StringRef(Name, Note->n_namesz) == StringRef("GNU\0", 4))
      return toHex(StringRef(Text, Note->n_descsz), /*LowerCase=*/true);
    At = Text + alignTo(Note->n_descsz, 4);
  }
  return "";
}

static int look(dl_phdr_info *File, size_t, void *Data) {
  auto *Found = static_cast<Holder *>(Data);
  const ArrayRef<ElfW(Phdr)> Headers(File->dlpi_phdr, File->dlpi_phnum);
  bool IsIt = false;
  for (const ElfW(Phdr) &Header : Headers)
    IsIt |=
        Header.p_type == PT_LOAD &&
        Found->Address - (File->dlpi_addr + Header.p_vaddr) < Header.p_memsz;
  if (!IsIt)
    return 0;
  Found->File = File->dlpi_name;
  for (const ElfW(Phdr) &Header : Headers)
    if (Header.p_type == PT_NOTE && Found->Id.empty())
      Found->Id = idInNotes(File->dlpi_addr, Header);
  return 1;
}

std::string gpuocc::buildId() {
  Holder Found{reinterpret_cast<uintptr_t>(&buildId), "", ""};
  dl_iterate_phdr(look, &Found);
  if (!Found.Id.empty())
    return Found.Id;
  std::string State =
      stateOfFile(Found.File.empty() ? "/proc/self/exe" : Found.File);
  return State.empty() ? "unknown" : State;
}
