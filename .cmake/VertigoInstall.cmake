# `cmake --install build --prefix DIR`: programs, public headers, libvertigo_rt.a and the examples. The compiler finds
# headers and archive beside itself (bin/../include, bin/../lib), so DIR may be moved.

# The build folder has the same shape as a prefix, so that the compiler looks for its headers in one way.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/runtime/include ${CMAKE_BINARY_DIR}/include SYMBOLIC)

# What newcomers use and `./dev demo` builds: no tests.
add_custom_target(tools)
add_dependencies(tools vertigo_rt)
foreach(program vertigo vertigo-opt vertigo-graph vertigo-interpret)
  if(TARGET ${program})
    add_dependencies(tools ${program})
    install(TARGETS ${program} RUNTIME DESTINATION bin)
  endif()
endforeach()

install(FILES $<TARGET_FILE:vertigo_rt> DESTINATION lib)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/runtime/include/vertigo DESTINATION include
        FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh" PATTERN "*.hpp" PATTERN "*.def")
install(DIRECTORY ${CMAKE_SOURCE_DIR}/dsl-examples DESTINATION share/vertigo)
