#pragma once
// All vertices in colour classes, no two of one of which are neighbours (Frog, section 3), for
// phases that run one class after the other; or the first of these classes, and a rest of all
// vertices that are in none.

#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "vertigo/cpu/graph_view.h"
#include "vertigo/graph/colouring.h"
#include "vertigo/host/program.h"

namespace vertigo::cpu {

class ColourClasses {
 public:
  template <class View>
  void allocate(const View& graph, const host::RunRequest&, host::RunResult& result) {
    find(*graph.whole, kAllColours, result);
  }
  const std::vector<std::span<const Vertex>>& parts() const { return parts_; }

 protected:
  void find(const graph::Graph& graph, std::uint32_t colours, host::RunResult& result) {
    if (!classes_.begins.empty()) return;
    const auto begin = std::chrono::steady_clock::now();
    classes_ = graph::colour_classes(graph, colours);
    result.timing.preparation +=
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result.colours = graph::described(classes_.begins, classes_.has_rest, colours);
    for (std::size_t c = 0; c < classes_.independent(); ++c) parts_.push_back(members(c));
  }
  std::span<const Vertex> members(std::size_t c) const {
    return std::span(classes_.vertices)
        .subspan(classes_.begins[c], classes_.begins[c + 1] - classes_.begins[c]);
  }

  graph::ColourClasses classes_;

 private:
  std::vector<std::span<const Vertex>> parts_;
};

class FewClasses : public ColourClasses {
 public:
  /// `colours`: where the user asks for no other number.
  template <class View>
  void allocate(const View& graph, const host::RunRequest& request, host::RunResult& result,
                std::uint32_t colours) {
    find(*graph.whole, request.colours.value_or(colours), result);
    if (classes_.has_rest && rest_.empty()) rest_.push_back(members(classes_.independent()));
  }
  /// One part, in which there may be neighbours, or none.
  const std::vector<std::span<const Vertex>>& rest() const { return rest_; }

 private:
  std::vector<std::span<const Vertex>> rest_;
};

}  // namespace vertigo::cpu
