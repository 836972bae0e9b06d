#pragma once
// Paths and colour classes in the cached form. Private to the module.

#include <cstddef>
#include <memory>
#include <string>

#include "cached_file.h"
#include "vertigo/graph/colouring.h"
#include "vertigo/graph/path_sketch.h"

namespace vertigo::graph {

/// CachedSection::Paths, and AllColours or FewColours.
Array<std::byte> image_of(const PathSketch& paths);
Array<std::byte> image_of(const ColourClasses& classes);

/// Null where the file has none. Every load proves that whoever walks them accesses memory that is
/// there: vertices, edges and chunks are in range. Without `edges`, PathSketch::edges stays empty.
std::shared_ptr<const PathSketch> read_paths(CachedFile& file, bool edges);
/// Every load proves that each vertex stands in one class.
std::shared_ptr<const ColourClasses> read_classes(CachedFile& file, CachedSection colours,
                                                  CachedSection vertices);

/// What only a wrong answer would show: an edge that is on no path or on two, neighbours in one
/// class. `lists` are the out-edges. Paths were read with their edges.
void verify_paths(const CachedFile& file, const Adjacency& lists, const PathSketch& paths);
void verify_classes(const CachedFile& file, const Adjacency& lists, const ColourClasses& classes,
                    CachedSection vertices);

}  // namespace vertigo::graph
