# append_literal(VARIABLE FILE) appends the text of FILE to VARIABLE as C++ string
# literals, in pieces: C++ promises 65,536 characters for one, and CMake lists
# give '[' and ';' a meaning that quoting takes away.
function(append_literal text file)
  file(READ "${file}" content)
  string(LENGTH "${content}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${content}" ${at} 16000 piece)
    string(APPEND ${text} "R\"gpuocc(${piece})gpuocc\"\n")
    math(EXPR at "${at} + 16000")
  endwhile()
  set(${text} "${${text}}" PARENT_SCOPE)
endfunction()
