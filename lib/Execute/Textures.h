//===- Textures.h - Reading textures and surfaces ---------------*- C++ -*-===//
//
// Part of gpu-occupancy, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUOCC_LIB_EXECUTE_TEXTURES_H
#define GPUOCC_LIB_EXECUTE_TEXTURES_H

#include "gpuocc/Execute/TextureObject.h"

namespace gpuocc::execute {

/// How an instruction addresses a texture; generated code has it as numbers.
struct TextureForm {
  /// 1 to 3, without the layer.
  uint32_t Dimensions = 1;
  bool IsLayered = false;
  /// Coordinates are whole numbers of elements.
  bool IsInteger = false;
};

/// Reads \p Object at \p At (x, y, z; with a layer as z) and writes the bits of
/// four channels to \p Out: of floats where \p AsFloat, else of integers.
///
/// Source: CUDA C++ Programming Guide, appendix "Texture Fetching": nearest
/// elements, and linear filtering with weights of 8 fractional bits.
void readTexture(const TextureObject &Object, const TextureForm &Form,
                 bool AsFloat, const float (&At)[3],
                 const int32_t (&Integer)[3], uint32_t *Out);

/// The element of a surface that begins \p X bytes into row \p Y of slice \p Z
/// and has \p Bytes; null where the surface has none.
char *surfaceElement(const TextureObject &Object, int32_t X, int32_t Y,
                     int32_t Z, uint32_t Bytes);

} // namespace gpuocc::execute

#endif // GPUOCC_LIB_EXECUTE_TEXTURES_H
