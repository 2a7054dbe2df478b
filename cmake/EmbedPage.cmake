# Writes OUTPUT, a C++ source that holds texts as string literals. TEXTS is a
# list, separated by '|', of names of functions that HEADER declares, each
# followed by the files that make its text, in this order.
#
#   cmake -DOUTPUT=... -DHEADER=PageParts.h -DTEXTS=pageBody|/a/body.html|pageScript|/a/1.js|/a/2.js -P EmbedPage.cmake

include("${CMAKE_CURRENT_LIST_DIR}/Literal.cmake")

set(source "// Made by cmake/EmbedPage.cmake; do not edit.\n")
string(APPEND source "#include \"${HEADER}\"\n\n")

# A text as an array whose size the compiler knows, and the function that
# returns it.
function(append_text name files)
  set(part "static constexpr char ${name}Text[] = \"\"\n")
  foreach(file IN LISTS files)
    append_literal(part "${file}")
  endforeach()
  string(APPEND part ";\nllvm::StringRef gpuocc::${name}() {\n"
                     "  return {${name}Text, sizeof(${name}Text) - 1};\n}\n\n")
  set(source "${source}${part}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" words "${TEXTS}")
set(name "")
foreach(word IN LISTS words)
  if(word MATCHES "/")
    list(APPEND files "${word}")
    continue()
  endif()
  if(name)
    append_text(${name} "${files}")
  endif()
  set(name ${word})
  set(files "")
endforeach()
append_text(${name} "${files}")
file(WRITE "${OUTPUT}" "${source}")
