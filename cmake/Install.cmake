# What `cmake --install` lays out, and the package that CPack makes of it. The
# command finds its plugins in ../lib and its data in ../share from its own
# folder, so that the tree works wherever it is put.

install(TARGETS gpu-occupancy gpu-occupancy-calibrate RUNTIME DESTINATION bin)
foreach(plugin GpuOccupancy GpuOccupancyPasses GpuOccupancyLaunches GpuOccupancyMLIR GpuOccupancyExecute)
  if(TARGET ${plugin})
    install(TARGETS ${plugin} LIBRARY DESTINATION lib)
  endif()
endforeach()
install(TARGETS GpuOccupancyRecorder ARCHIVE DESTINATION lib)
install(FILES LICENSE README.md docs/CHANGELOG.md DESTINATION share/doc/gpu-occupancy)
install(FILES docs/report.schema.json DESTINATION share/gpu-occupancy)

# The page of the manual is what the command says of itself.
set(page ${PROJECT_BINARY_DIR}/share/man/man1/gpu-occupancy.1)
add_custom_command(
  OUTPUT ${page}
  COMMAND ${CMAKE_COMMAND} -DTOOL=$<TARGET_FILE:gpu-occupancy> -DOUTPUT=${page}
          -DVERSION=${PROJECT_VERSION} -P ${PROJECT_SOURCE_DIR}/cmake/ManPage.cmake
  DEPENDS gpu-occupancy ${PROJECT_SOURCE_DIR}/cmake/ManPage.cmake
  COMMENT "writing the manual"
  VERBATIM)
add_custom_target(manual ALL DEPENDS ${page})
install(FILES ${page} DESTINATION share/man/man1)

install(FILES tools/completion/gpu-occupancy.bash
        DESTINATION share/bash-completion/completions RENAME gpu-occupancy)
install(FILES tools/completion/_gpu-occupancy DESTINATION share/zsh/vendor-completions)
install(FILES tools/completion/gpu-occupancy.fish
        DESTINATION share/fish/vendor_completions.d)

# find_package(GpuOccupancy)
include(CMakePackageConfigHelpers)
set(package_dir lib/cmake/GpuOccupancy)
configure_package_config_file(
  cmake/package/GpuOccupancyConfig.cmake.in ${PROJECT_BINARY_DIR}/GpuOccupancyConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_PREFIX)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GpuOccupancyConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GpuOccupancyConfig.cmake
              ${PROJECT_BINARY_DIR}/GpuOccupancyConfigVersion.cmake
        DESTINATION ${package_dir})

set(CPACK_PACKAGE_NAME gpu-occupancy)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "occupancy and throughput of CUDA kernels at compile time")
set(CPACK_PACKAGE_CONTACT "the maintainers of gpu-occupancy")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_STRIP_FILES ON)
# The plugins are loaded by the clang of this very release.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "clang-${LLVM_VERSION_MAJOR}, libllvm${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
if(MLIR_FOUND)
  # What loads the plugin of MLIR.
  set(CPACK_DEBIAN_PACKAGE_SUGGESTS "mlir-${LLVM_VERSION_MAJOR}-tools")
endif()
include(CPack)
