# What `cmake --install` puts in a prefix for users of libhlg, in two components:
#
#   library      libhlg.so.MAJOR.MINOR, all that a program linked against it needs
#   development  headers, libhlg.a, the CMake package (find_package(hlg)) and hlg.pc
#
# Everything finds its neighbours relative to itself, so the prefix may be moved.
include(CMakePackageConfigHelpers)

set(hlg_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hlg)

install(TARGETS hlg_shared hlg_static EXPORT hlg-targets
    LIBRARY COMPONENT library NAMELINK_COMPONENT development
    ARCHIVE COMPONENT development
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/hlg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
    FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hlg COMPONENT library)

# The targets depend on no other package, so that their file is the whole package.
install(EXPORT hlg-targets NAMESPACE hlg:: FILE hlg-config.cmake DESTINATION ${hlg_package_dir} COMPONENT development)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/hlg-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/hlg-config-version.cmake DESTINATION ${hlg_package_dir} COMPONENT development)

# hlg.pc. An absolute folder, which some distributions choose, is taken as it is.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(hlg_pc_prefix ${CMAKE_INSTALL_PREFIX})
    set(hlg_pc_libdir ${CMAKE_INSTALL_LIBDIR})
else()
    file(RELATIVE_PATH hlg_pc_up /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
    set(hlg_pc_prefix "\${pcfiledir}/${hlg_pc_up}")
    string(REGEX REPLACE "/$" "" hlg_pc_prefix "${hlg_pc_prefix}")
    set(hlg_pc_libdir "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
endif()
if(IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
    set(hlg_pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})
else()
    set(hlg_pc_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/hlg.pc.in ${PROJECT_BINARY_DIR}/hlg.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hlg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
