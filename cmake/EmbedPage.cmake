# Writes OUTPUT, a C++ source that holds the parts of the HTML page as string
# literals: STYLE, BODY and CHARTS (files; CHARTS may be empty), SCRIPTS (files,
# separated by '|', which become one in this order).
#
#   cmake -DOUTPUT=... -DSTYLE=page.css -DBODY=body.html -DCHARTS=chart.js -DSCRIPTS=a.js|b.js -P EmbedPage.cmake

include("${CMAKE_CURRENT_LIST_DIR}/Literal.cmake")

set(source "// Made by cmake/EmbedPage.cmake from lib/Views/html; do not edit.\n")
string(APPEND source "#include \"PageParts.h\"\n\n")

# A part as an array whose size the compiler knows, and the function that
# returns it.
function(append_part name files)
  set(part "static constexpr char ${name}Text[] = \"\"\n")
  foreach(file IN LISTS files)
    append_literal(part "${file}")
  endforeach()
  string(APPEND part ";\nllvm::StringRef gpuocc::page${name}() {\n"
                     "  return {${name}Text, sizeof(${name}Text) - 1};\n}\n\n")
  set(source "${source}${part}" PARENT_SCOPE)
endfunction()

string(REPLACE "|" ";" scripts "${SCRIPTS}")
append_part(Style "${STYLE}")
append_part(Body "${BODY}")
append_part(Charts "${CHARTS}")
append_part(Script "${scripts}")
file(WRITE "${OUTPUT}" "${source}")
