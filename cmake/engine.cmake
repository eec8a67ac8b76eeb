# llama.cpp, one of three ways. Yields hlg::llama (libllama and ggml) and hlg::llama_common (chat templates, grammars),
# and installs what it brings, so that hlg runs from its prefix wherever that is moved.
#
#   prebuilt  the npm package's libraries, the CPU variant chosen at run time; set-up in seconds
#   source    the same version built for this CPU, with the RPC backend and the programs to compare with; 10 to 20 minutes on 2 cores, once
#   system    an installed llama.cpp found by find_package; llama-common's headers, which installs leave out, from HLG_LLAMA_SOURCE

set(hlg_engine_default prebuilt)
if(DEFINED ENV{HLG_ENGINE} AND NOT "$ENV{HLG_ENGINE}" STREQUAL "")
    set(hlg_engine_default $ENV{HLG_ENGINE})
endif()
set(HLG_ENGINE ${hlg_engine_default} CACHE STRING "Where llama.cpp comes from: prebuilt, source or system")
set_property(CACHE HLG_ENGINE PROPERTY STRINGS prebuilt source system)
set(HLG_LLAMA_SOURCE "$ENV{HLG_LLAMA_SOURCE}" CACHE PATH "With HLG_ENGINE=system: llama.cpp's source tree, for llama-common's headers")

# Relative, so that the prefix can be moved.
set(HLG_ENGINE_LIBDIR ${CMAKE_INSTALL_LIBDIR}/hlg)

add_library(hlg_llama INTERFACE)
add_library(hlg::llama ALIAS hlg_llama)
add_library(hlg_llama_common INTERFACE)
add_library(hlg::llama_common ALIAS hlg_llama_common)
target_link_libraries(hlg_llama_common INTERFACE hlg_llama)

function(hlg_engine_from_folder root)
    foreach(name IN ITEMS ggml-base ggml llama llama-common)
        file(GLOB found ${root}/lib/lib${name}.so ${root}/lib/lib${name}.v*.so)
        if(NOT found)
            message(FATAL_ERROR "no lib${name} in ${root}/lib; delete ${root} and run again")
        endif()
        list(GET found 0 library)
        if(name STREQUAL "llama-common")
            target_link_libraries(hlg_llama_common INTERFACE ${library})
        else()
            target_link_libraries(hlg_llama INTERFACE ${library})
        endif()
    endforeach()
    target_include_directories(hlg_llama SYSTEM INTERFACE ${root}/src/include ${root}/src/ggml/include)
    target_include_directories(hlg_llama_common SYSTEM INTERFACE ${root}/src/common ${root}/src/vendor)
    install(DIRECTORY ${root}/lib/ DESTINATION ${HLG_ENGINE_LIBDIR} COMPONENT engine USE_SOURCE_PERMISSIONS)
    install(FILES ${root}/src/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/hlg RENAME LICENSE.llama.cpp COMPONENT engine)
endfunction()

if(HLG_ENGINE MATCHES "^(prebuilt|source)$")
    execute_process(COMMAND ${PROJECT_SOURCE_DIR}/scripts/engine.sh ${HLG_ENGINE}
        OUTPUT_VARIABLE hlg_engine_root OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "llama.cpp (HLG_ENGINE=${HLG_ENGINE}) could not be set up; the lines above say why")
    endif()
    hlg_engine_from_folder(${hlg_engine_root})
elseif(HLG_ENGINE STREQUAL "system")
    find_package(llama REQUIRED)
    find_library(HLG_LLAMA_COMMON_LIBRARY llama-common HINTS ${LLAMA_LIB_DIR} REQUIRED)
    if(NOT EXISTS ${HLG_LLAMA_SOURCE}/common/chat.h)
        message(FATAL_ERROR "HLG_ENGINE=system needs HLG_LLAMA_SOURCE, the source tree of the installed llama.cpp (no common/chat.h in '${HLG_LLAMA_SOURCE}')")
    endif()
    target_link_libraries(hlg_llama INTERFACE llama)
    target_link_libraries(hlg_llama_common INTERFACE ${HLG_LLAMA_COMMON_LIBRARY})
    target_include_directories(hlg_llama_common SYSTEM INTERFACE ${HLG_LLAMA_SOURCE}/common ${HLG_LLAMA_SOURCE}/vendor)
else()
    message(FATAL_ERROR "HLG_ENGINE must be prebuilt, source or system, got '${HLG_ENGINE}'")
endif()
message(STATUS "llama.cpp: ${HLG_ENGINE} ${hlg_engine_root}")
