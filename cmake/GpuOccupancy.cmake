# Shared build rules: warnings, rooms (libraries), tools.

# Headers of LLVM are system headers: their warnings are not ours.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${LLVM_DEFINITIONS_LIST})

set(GPUOCC_CXX_FLAGS -Wall -Wextra -Wno-unused-parameter -fno-exceptions -fno-rtti
                     -fvisibility-inlines-hidden)
if(GPUOCC_WERROR)
  list(APPEND GPUOCC_CXX_FLAGS -Werror)
endif()

# What is installed keeps finding LLVM's shared library.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

# Most of a compile is the parsing of headers of LLVM and of the C++ library.
# They are parsed once for all targets that compile with the same flags.
option(GPUOCC_PRECOMPILED_HEADERS "precompile the headers of LLVM" ON)
set(GPUOCC_PRECOMPILED_DIR ${CMAKE_CURRENT_LIST_DIR}/precompiled)

# Most of what is left is optimization, of which unit tests have no need.
set(GPUOCC_Support_FLAGS "")
set(GPUOCC_Test_FLAGS -O0)
set(GPUOCC_NONE_FLAGS "")

# Adds what precompiles the headers of precompiled/KIND.h.
function(gpuocc_add_precompiled kind)
  if(GPUOCC_PRECOMPILED_HEADERS)
    add_library(gpuoccPrecompiled${kind} OBJECT ${GPUOCC_PRECOMPILED_DIR}/Empty.cpp)
    target_compile_options(gpuoccPrecompiled${kind} PRIVATE ${GPUOCC_CXX_FLAGS}
                                                            ${GPUOCC_${kind}_FLAGS} -fPIC)
    set_target_properties(gpuoccPrecompiled${kind} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_precompile_headers(gpuoccPrecompiled${kind} PRIVATE ${GPUOCC_PRECOMPILED_DIR}/${kind}.h)
  endif()
endfunction()
gpuocc_add_precompiled(Support)

# Libraries that are loaded have all that they call. Under a sanitizer its
# runtime comes from the program.
set(GPUOCC_NO_UNDEFINED -Wl,-z,defs)
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set(GPUOCC_NO_UNDEFINED "")
endif()

# Compiles TARGET with our flags and the precompiled headers of KIND: Support,
# Test or NONE.
function(gpuocc_compile_options target kind)
  target_compile_options(${target} PRIVATE ${GPUOCC_CXX_FLAGS} ${GPUOCC_${kind}_FLAGS})
  if(GPUOCC_PRECOMPILED_HEADERS AND NOT kind STREQUAL NONE)
    target_precompile_headers(${target} REUSE_FROM gpuoccPrecompiled${kind})
    # A precompiled header serves one kind of position independence only, and
    # CMake asks for another in executables than in libraries.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# Compiles the sources of TARGET in units of eight files, those in the list
# behind it (without their extension) alone.
option(GPUOCC_UNITS "compile several sources of a room at once" ON)
function(gpuocc_compile_in_units target)
  if(GPUOCC_UNITS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
    list(TRANSFORM ARGN APPEND .cpp)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# A room is an object-like static library with public headers in
# include/gpuocc/<Room>; it may use the rooms in DEPENDS only. Rooms link no
# LLVM library: the plugin takes LLVM from the compiler that loads it, a tool
# from the shared library that gpuocc_add_tool links.
#
# Of a room with PLUGINS, only these sources (without their extension) are in
# gpuocc<name>, so that a plugin is built without the others. They are in
# gpuocc<name>Rest, which commands link.
#
# The sources of a room are compiled in units of several files: LLVM's headers
# are instantiated once a unit. Sources in APART are compiled alone, since a
# name of theirs that no other file sees is another file's too. A room that is
# FILE_BY_FILE has no units: the fuzzers compile some of its sources once more,
# and link the rest.
#
# A room with FOLDERS has sources in these folders too; private headers are
# included by folder and name. test/layering.py has the order of the folders.
function(gpuocc_add_room name)
  cmake_parse_arguments(ARG "FILE_BY_FILE" "" "DEPENDS;FOLDERS;PLUGINS;APART" ${ARGN})
  list(TRANSFORM ARG_FOLDERS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp"
       OUTPUT_VARIABLE patterns)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp ${patterns})
  set(rest "")
  if(ARG_PLUGINS)
    list(TRANSFORM ARG_PLUGINS REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1.cpp")
    set(rest ${sources})
    list(REMOVE_ITEM rest ${ARG_PLUGINS})
    set(sources ${ARG_PLUGINS})
  endif()
  add_library(gpuocc${name} STATIC ${sources})
  if(ARG_FOLDERS)
    target_include_directories(gpuocc${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  endif()
  gpuocc_compile_options(gpuocc${name} Support)
  if(NOT ARG_FILE_BY_FILE)
    gpuocc_compile_in_units(gpuocc${name} ${ARG_APART})
  endif()
  foreach(dep ${ARG_DEPENDS})
    target_link_libraries(gpuocc${name} PUBLIC gpuocc${dep})
  endforeach()
  if(rest)
    add_library(gpuocc${name}Rest STATIC ${rest})
    gpuocc_compile_options(gpuocc${name}Rest Support)
    if(NOT ARG_FILE_BY_FILE)
      gpuocc_compile_in_units(gpuocc${name}Rest ${ARG_APART})
    endif()
    target_link_libraries(gpuocc${name}Rest PUBLIC gpuocc${name})
    foreach(dep ${ARG_DEPENDS})
      if(TARGET gpuocc${dep}Rest)
        target_link_libraries(gpuocc${name}Rest PUBLIC gpuocc${dep}Rest)
      endif()
    endforeach()
  endif()
endfunction()

# Adds to a target the functions that HEADER declares, which return texts: the
# name of each is followed by the files that make its text.
#   gpuocc_embed_texts(gpuoccViews PageParts.h pageBody html/body.html pageScript html/1.js html/2.js)
function(gpuocc_embed_texts target header)
  set(files "")
  set(texts "")
  foreach(word ${ARGN})
    if(word MATCHES "[/.]")
      get_filename_component(word ${word} ABSOLUTE)
      list(APPEND files ${word})
    endif()
    list(APPEND texts ${word})
  endforeach()
  list(JOIN texts "|" texts)
  get_filename_component(name ${header} NAME_WE)
  set(embedded ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  add_custom_command(
    OUTPUT ${embedded}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${embedded} -DHEADER=${header} "-DTEXTS=${texts}"
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake
            ${PROJECT_SOURCE_DIR}/cmake/Literal.cmake
    COMMENT "Embedding ${header}"
    VERBATIM)
  target_sources(${target} PRIVATE ${embedded})
endfunction()

# A command that links the rooms and LLVM's shared library, compiled in units as
# rooms are.
function(gpuocc_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS;APART" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  gpuocc_compile_options(${name} Support)
  gpuocc_compile_in_units(${name} ${ARG_APART})
  foreach(room ${ARG_ROOMS})
    target_link_libraries(${name} PRIVATE gpuocc${room})
  endforeach()
  target_link_libraries(${name} PRIVATE LLVM)
endfunction()
