# Writes OUTPUT, the manual of the command TOOL of release VERSION: what TOOL
# and each of its subcommands print for --help.
#
#   cmake -DTOOL=gpu-occupancy -DOUTPUT=gpu-occupancy.1 -DVERSION=1.2.3 -P ManPage.cmake

# Stands for a semicolon, which separates elements of CMake's lists.
string(ASCII 1 semicolon)

# The help of the command ARGN as lines of the page, without markup of its own.
function(help text)
  execute_process(COMMAND ${TOOL} ${ARGN} --help OUTPUT_VARIABLE output
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "${semicolon}" output "${output}")
  string(REPLACE "\\" "\\e" output "${output}")
  string(REPLACE "-" "\\-" output "${output}")
  string(REGEX REPLACE "(^|\n)([.'])" "\\1\\\\&\\2" output "${output}")
  set(${text} ".nf\n${output}.fi\n" PARENT_SCOPE)
endfunction()

execute_process(COMMAND ${TOOL} --help OUTPUT_VARIABLE overview COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE ".*\ncommands:\n" "" rows "${overview}")
string(REGEX REPLACE "\n\n.*" "" rows "${rows}")
string(REGEX MATCHALL "(^|\n)  [a-z-]+ " rows "${rows}")

help(text)
set(page ".TH GPU-OCCUPANCY 1 \"\" \"gpu-occupancy ${VERSION}\" \"User Commands\"\n"
         ".SH NAME\ngpu\\-occupancy \\- occupancy and throughput of CUDA kernels at compile time\n"
         ".SH SYNOPSIS\n${text}")
foreach(row IN LISTS rows)
  string(STRIP "${row}" name)
  string(TOUPPER "${name}" title)
  help(text ${name})
  list(APPEND page ".SH ${title}\n${text}")
endforeach()
list(APPEND page ".SH EXIT STATUS\n"
     ".TP\n0\nall work was done, nothing is beyond a threshold\n"
     ".TP\n1\nall work was done, something is beyond a threshold\n"
     ".TP\n2\nsome or all of the work could not be done\n")
list(JOIN page "" page)
string(REPLACE "${semicolon}" ";" page "${page}")
file(WRITE "${OUTPUT}" "${page}")
