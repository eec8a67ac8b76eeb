# How our own code is compiled. Everything of ours links hlg_warnings; third-party headers are SYSTEM and keep their warnings.

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# One place for programs, so that bin/../lib and bin/../share look alike in the build tree and after installation.
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

find_program(HLG_CCACHE ccache)
if(HLG_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${HLG_CCACHE})
endif()

# Under sanitizers g++ warns of much that is not there; its manual advises against -Werror beside them.
if(HLG_SANITIZE)
    set(HLG_WERROR OFF)
endif()

add_library(hlg_warnings INTERFACE)
target_compile_options(hlg_warnings INTERFACE
    -Wall -Wextra -Wpedantic $<$<BOOL:${HLG_WERROR}>:-Werror>
    # A fused multiply-add rounds once where two operations round twice: the same logits must give the same token everywhere.
    -ffp-contract=off)

if(HLG_SANITIZE)
    add_compile_options(-fsanitize=${HLG_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${HLG_SANITIZE})
endif()
