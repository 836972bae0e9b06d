# libvertigo_rt.a: everything that a generated program links with, in one archive, so that
# `nvcc -I<prefix>/include sssp.cu -lvertigo_rt` is the whole command.
#
# It holds the objects of the runtime's modules (main among them), of Program IR (generated programs carry theirs
# for --check), and those third-party archives without which a program would need more than the driver installed.

set(VERTIGO_RT_MODULES core trace graph execute cpu gpu ir reference host main)
set(VERTIGO_RT_FOREIGN libz.a libzstd.a liblzma.a libexpat.a libgomp.a)

set(objects)
foreach(module IN LISTS VERTIGO_RT_MODULES)
  if(TARGET vertigo_${module})
    get_target_property(type vertigo_${module} TYPE)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      list(APPEND objects $<TARGET_OBJECTS:vertigo_${module}>)
    endif()
  endif()
endforeach()
add_library(vertigo_rt STATIC ${objects})
set_target_properties(vertigo_rt PROPERTIES LINKER_LANGUAGE CXX)

# The C++ compiler knows where its own libgomp.a and the system's archives lie.
set(script "open $<TARGET_FILE:vertigo_rt>\n")
foreach(archive IN LISTS VERTIGO_RT_FOREIGN)
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${archive}
                  OUTPUT_VARIABLE path OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT IS_ABSOLUTE "${path}")
    message(FATAL_ERROR "${archive} is not installed: generated programs link it statically (./dev build installs it)")
  endif()
  string(APPEND script "addlib ${path}\n")
endforeach()
string(APPEND script "save\nend\n")
file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/vertigo_rt.ar CONTENT "${script}")
add_custom_command(TARGET vertigo_rt POST_BUILD
  COMMAND ${CMAKE_AR} -M < ${CMAKE_BINARY_DIR}/vertigo_rt.ar
  COMMAND ${CMAKE_RANLIB} $<TARGET_FILE:vertigo_rt>
  COMMENT "Adding zlib, zstd, lzma, expat and OpenMP to libvertigo_rt.a")
