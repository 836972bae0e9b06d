#pragma once
// All vertices in colour classes, no two of one of which are neighbours (Frog, section 3), for
// phases that run one class after the other.

#include <span>
#include <vector>

#include "vertigo/cpu/graph_view.h"
#include "vertigo/graph/colouring.h"

namespace vertigo::cpu {

class ColourClasses {
 public:
  template <class View>
  void allocate(const View& graph) {
    if (!parts_.empty() || graph.vertex_count == 0) return;
    classes_ = graph::colour_classes(*graph.whole);
    for (std::size_t c = 0; c < classes_.count(); ++c)
      parts_.emplace_back(classes_.vertices.begin() + classes_.begins[c],
                          classes_.vertices.begin() + classes_.begins[c + 1]);
  }
  const std::vector<std::span<const Vertex>>& parts() const { return parts_; }

 private:
  graph::ColourClasses classes_;
  std::vector<std::span<const Vertex>> parts_;
};

}  // namespace vertigo::cpu
