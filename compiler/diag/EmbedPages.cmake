# Turns pages/VGxxxx.md into the lines of Pages.inc: {101, R"PAGE(…)PAGE"},
# Run by CMakeLists.txt here as: cmake -DPAGES=<folder> -DOUTPUT=<file> -P EmbedPages.cmake
file(GLOB pages ${PAGES}/VG*.md)
list(SORT pages)
set(lines "")
foreach(page ${pages})
  get_filename_component(name ${page} NAME_WE)
  string(REGEX REPLACE "^VG0*([0-9]+)$" "\\1" code ${name})
  file(READ ${page} text)
  string(APPEND lines "{${code}, R\"PAGE(${text})PAGE\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${lines}")
