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

# A room is an object-like static library with public headers in
# include/gpuocc/<Room>; it may use the rooms in DEPENDS only. Rooms link no
# LLVM library: the plugin takes LLVM from the compiler that loads it, a tool
# from the shared library that gpuocc_add_tool links.
function(gpuocc_add_room name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  add_library(gpuocc${name} STATIC ${sources})
  target_compile_options(gpuocc${name} PRIVATE ${GPUOCC_CXX_FLAGS})
  foreach(dep ${ARG_DEPENDS})
    target_link_libraries(gpuocc${name} PUBLIC gpuocc${dep})
  endforeach()
endfunction()

# A command that links the rooms and LLVM's shared library.
function(gpuocc_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ROOMS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_compile_options(${name} PRIVATE ${GPUOCC_CXX_FLAGS})
  foreach(room ${ARG_ROOMS})
    target_link_libraries(${name} PRIVATE gpuocc${room})
  endforeach()
  target_link_libraries(${name} PRIVATE LLVM)
endfunction()
