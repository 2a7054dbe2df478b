# Writes OUTPUT, a C++ source that holds the device databases as string
# literals: ARCHITECTURES (one file) and DEVICES (files, separated by '|').
#
#   cmake -DOUTPUT=... -DARCHITECTURES=... -DDEVICES=a.json|b.json -P EmbedJson.cmake

include("${CMAKE_CURRENT_LIST_DIR}/Literal.cmake")

set(source "// Made by cmake/EmbedJson.cmake from lib/Device/data; do not edit.\n")
string(APPEND source "#include \"EmbeddedFiles.h\"\n\n")
string(APPEND source "static constexpr llvm::StringLiteral Architectures =\n")
append_literal(source "${ARCHITECTURES}")
string(APPEND source ";\n\n")

# Arrays whose size the compiler knows: finding the length of a long literal
# would take more steps than a constant expression may.
set(rows "")
set(index 0)
string(REPLACE "|" ";" devices "${DEVICES}")
foreach(file IN LISTS devices)
  get_filename_component(name "${file}" NAME_WLE)
  file(READ "${file}" content)
  string(JSON architecture GET "${content}" architecture)
  # The names that people may say, each on a line of its own.
  string(JSON aliases GET "${content}" display_name)
  string(JSON count ERROR_VARIABLE none LENGTH "${content}" aliases)
  if(none)
    set(count 0)
  endif()
  while(count GREATER 0)
    math(EXPR count "${count} - 1")
    string(JSON alias GET "${content}" aliases ${count})
    string(APPEND aliases "\\n${alias}")
  endwhile()
  string(APPEND source "static constexpr char Text${index}[] =\n")
  append_literal(source "${file}")
  string(APPEND source ";\n\n")
  string(APPEND rows "{\"${name}\", \"${architecture}\", \"${aliases}\", "
                     "{Text${index}, sizeof(Text${index}) - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()
string(APPEND source "static constexpr gpuocc::EmbeddedDevice Devices[] = {\n${rows}};\n\n")
string(APPEND source "llvm::ArrayRef<gpuocc::EmbeddedDevice> gpuocc::embeddedDeviceFiles() {\n")
string(APPEND source "  return Devices;\n}\n\n")
string(APPEND source "llvm::StringRef gpuocc::embeddedArchitectures() { return Architectures; }\n")
file(WRITE "${OUTPUT}" "${source}")
