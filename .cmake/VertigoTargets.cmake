# One place for what every target of the project has in common.

find_program(VERTIGO_CCACHE ccache)
if(VERTIGO_CCACHE)
  # What one checkout compiled, another need not.
  set(remembered ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1)
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${remembered} ${VERTIGO_CCACHE})
  # Else it remembers nothing that reads a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${remembered} CCACHE_SLOPPINESS=pch_defines,time_macros ${VERTIGO_CCACHE})
endif()

find_program(VERTIGO_MOLD mold)
if(VERTIGO_MOLD)
  add_link_options(-fuse-ld=mold)
endif()

# vertigo_compile_options(TARGET): warnings and, when asked for, sanitizers.
function(vertigo_compile_options target)
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # g++ 12 warns of string concatenation inside the standard library (its bug 105651).
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
  endif()
  if(VERTIGO_FUZZ)
    # vptr needs type information that LLVM's libraries are built without.
    set(fuzz -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize=vptr -fno-sanitize-recover=all)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${fuzz}>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
  if(VERTIGO_SANITIZE)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=address,undefined -fno-omit-frame-pointer>)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# vertigo_begins_with(TARGET HEADER...): most files of the target include these, so that they are compiled once.
function(vertigo_begins_with target)
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>")
  target_precompile_headers(${target} PRIVATE ${ARGN})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)  # ccache asks for it
  endif()
endfunction()

# vertigo_library(NAME SOURCES...): a static library of the project.
function(vertigo_library name)
  add_library(${name} STATIC ${ARGN})
  vertigo_compile_options(${name})
endfunction()

# vertigo_tool(NAME SOURCES...): a program that lands in build/bin.
function(vertigo_tool name)
  add_executable(${name} ${ARGN})
  vertigo_compile_options(${name})
endfunction()
