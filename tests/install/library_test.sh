#!/bin/bash
# libhlg as its users meet it: installed, moved, found by pkg-config and by CMake. Usage: library_test.sh CASE
. "$(dirname "$0")/../shell.sh"

readonly here=$HLG_SOURCE/tests/install
strict=(-Wall -Wextra -Wpedantic -Werror)

# Installs the library alone and moves it, so that a path from the build or from the first prefix would show.
for component in library development; do
    cmake --install "$HLG_BUILD" --component "$component" --prefix "$scratch/first" >/dev/null || die "installing $component failed"
done
mv "$scratch/first" "$scratch/prefix"
readonly prefix=$scratch/prefix
pc=$(find "$prefix" -name hlg.pc)
[ -n "$pc" ] || die 'no hlg.pc was installed'
PKG_CONFIG_PATH=$(dirname "$pc")
export PKG_CONFIG_PATH
lib=$(dirname "$PKG_CONFIG_PATH")
readonly lib

# Names of the functions that hlg.h declares.
declared() { grep -oE '\bhlg_[a-z0-9_]+\(' "$prefix/include/hlg/hlg.h" | tr -d '(' | sort -u; }

case_c99_by_pkg_config() {
    local source flags
    read -ra flags <<<"$(pkg-config --cflags --libs hlg)"
    for source in "$here/every_call.c" "$HLG_SOURCE/examples/c/draw.c"; do
        run gcc -std=c99 -pedantic "${strict[@]}" "$source" -o "$scratch/program" "${flags[@]}"; expect_code 0
        run env LD_LIBRARY_PATH="$lib" "$scratch/program"; expect_code 0
        expect_equal "$err" ''
        [ "$source" != "$here/every_call.c" ] || expect_equal "$out" "$(pkg-config --modversion hlg)"
    done
    # Every function is called by the first program, or this test has a hole.
    local name
    for name in $(declared); do expect_in "$name(" "$(cat "$here/every_call.c")"; done
}

case_static_by_pkg_config() {
    local cflags libs
    read -ra cflags <<<"$(pkg-config --cflags hlg)"
    read -ra libs <<<"$(pkg-config --libs --static hlg)"
    run gcc -std=c99 -pedantic "${strict[@]}" "${cflags[@]}" "$here/every_call.c" -o "$scratch/program" \
        "${libs[@]/#-lhlg/-l:libhlg.a}"; expect_code 0
    run "$scratch/program"; expect_code 0
    expect_not_in libhlg "$(readelf -d "$scratch/program")"
}

case_cmake_consumer() {
    mv "$prefix" "$scratch/a prefix"
    run cmake -S "$HLG_SOURCE/examples" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/a prefix" \
        -DCMAKE_C_FLAGS="${strict[*]}" -DCMAKE_CXX_FLAGS="${strict[*]}"; expect_code 0
    run cmake --build "$scratch/build"; expect_code 0
    run "$scratch/build/draw_c"; expect_code 0
    expect_lines 9 "$out"
    expect_in 'ran      0.000000' "$out"
    run "$scratch/build/draw_cpp"; expect_code 0
    expect_in balanced "$out"
    expect_lines 10 "$(tail -n 1 <<<"$out" | tr ' ' '\n')"
    # hlg::hlg is the shared library, hlg::static is not.
    expect_in "$scratch/a prefix" "$(ldd "$scratch/build/draw_c")"
    expect_not_in libhlg "$(ldd "$scratch/build/draw_cpp")"
    expect_equal "$(grep -rlF "$HLG_BUILD" "$scratch/a prefix" --include='*.cmake' --include='*.pc')" ''
}

case_other_versions_are_refused() {
    local version
    mkdir "$scratch/versions"
    for version in 9.0 0.0.1; do
        printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(p LANGUAGES NONE)' "find_package(hlg $version REQUIRED)" \
            >"$scratch/versions/CMakeLists.txt"
        run cmake -S "$scratch/versions" -B "$scratch/versions/$version" -DCMAKE_PREFIX_PATH="$prefix"; expect_code 1
        expect_in "version \"$version\"" "$err"
    done
}

case_exported_symbols() {
    expect_equal "$(nm -D --defined-only "$lib/libhlg.so" | awk '{ print $3 }' | sort)" "$(declared)"
}

case_needed_libraries() {
    local needed
    needed=$(readelf -d "$lib/libhlg.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
    # The dynamic loader itself is part of libc.
    expect_equal "${needed/ld-linux-*.so.? /}" 'libc.so.6 libm.so.6 libstdc++.so.6 '
    expect_equal "$(readelf -d "$lib/libhlg.so" | grep -E 'RPATH|RUNPATH')" ''
}

case_soname() {
    local version
    version=$(pkg-config --modversion hlg)
    # Before 1.0 a minor version may change the interface, so that it is part of the name.
    expect_in "[libhlg.so.${version%.*}]" "$(readelf -d "$lib/libhlg.so" | grep SONAME)"
    expect_equal "$(readlink "$lib/libhlg.so")" "libhlg.so.${version%.*}"
    [ -f "$lib/libhlg.so.$version" ] || die "no libhlg.so.$version"
}

case_headers_stand_alone() {
    local header standard compiler
    for compiler in gcc clang; do
        command -v "$compiler" >/dev/null || continue
        for standard in c99 c11 c17; do
            run "$compiler" -x c -std=$standard -pedantic-errors -Wstrict-prototypes "${strict[@]}" -fsyntax-only "$prefix/include/hlg/hlg.h"
            expect_code 0
        done
        for standard in c++11 c++20; do
            run "$compiler" -x c++ -std=$standard "${strict[@]}" -fsyntax-only -I "$prefix/include" -include hlg/hlg.h /dev/null
            expect_code 0
        done
        for header in curve sampler status; do
            run "$compiler" -x c++ -std=c++20 "${strict[@]}" -fsyntax-only -I "$prefix/include" -include "hlg/$header.hpp" /dev/null
            expect_code 0
        done
    done
}

run_case "$1"
