# Writes OUTPUT, a C++ source with the pages FOLDER/<Rule>.md of the rules in
# RULES, in their order.
#
#   cmake -DOUTPUT=... -DRULES=Rules.def -DFOLDER=docs/rules -P EmbedPages.cmake

file(READ "${RULES}" rows)
string(REGEX MATCHALL "\nRULE\\([A-Za-z]+" rows "${rows}")
set(source "// Made by cmake/EmbedPages.cmake from docs/rules; do not edit.\n")
string(APPEND source "#include \"gpuocc/Report/RulePages.h\"\n#include \"gpuocc/Report/RuleIds.h\"\n\n")
string(APPEND source "static constexpr llvm::StringLiteral Pages[] = {\n")
foreach(row IN LISTS rows)
  string(REGEX REPLACE "\nRULE\\(" "" name "${row}")
  file(READ "${FOLDER}/${name}.md" page)
  string(APPEND source "R\"gpuocc(${page})gpuocc\",\n")
endforeach()
string(APPEND source "};\n\nstatic_assert(std::size(Pages) == gpuocc::NumRules);\n\n"
                     "llvm::StringRef gpuocc::rulePage(RuleId Rule) { return Pages[size_t(Rule)]; }\n")
file(WRITE "${OUTPUT}" "${source}")
