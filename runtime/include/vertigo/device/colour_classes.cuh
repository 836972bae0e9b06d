#pragma once
// All vertices in colour classes, no two of one of which are neighbours (Frog, section 3), for
// phases that run one class after the other; or the first of these classes, and a rest of all
// vertices that are in none:
//
//   for (const VertexPart& part : classes.parts()) launch_part(run_class, session, part, graph,
//   part, …); for (const VertexPart& part : classes.rest()) launch_part(run_rest, session, part,
//   graph, part, …);

#include "vertigo/core/colour_turn.h"
#include "vertigo/device/cooperative.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

/// Launches a kernel that visits `part`. All of its blocks run at the same time, since they may
/// offer each other long lists; then as many as the device holds help.
template <class... Parameters, class... Arguments>
void launch_part(void (*kernel)(Parameters...), Session& session, const VertexPart& part,
                 const Arguments&... arguments) {
  const bool donates = part.board.donations != nullptr;
  if (donates) session.clear(part.board.offered, kBoardWords);
  const unsigned resident = most_resident_blocks(kernel, kBlock);
  const unsigned wanted = session.blocks(part);
  launch_cooperative(kernel, donates || wanted > resident ? resident : wanted, kBlock,
                     session.stream(), arguments...);
}

class ColourClasses {
 public:
  void declare(Session& session, const char* name) { session.declare_classes(vertices_, name); }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>&) {
    parts_ = session.colour_classes(vertices_).parts;
  }
  const Parts& parts() const { return parts_; }

 private:
  Vertex* vertices_ = nullptr;
  Parts parts_;
};

class FewClasses {
 public:
  /// `colours`: where the user asks for no other number.
  void declare(Session& session, const char* name, std::uint32_t colours) {
    session.declare_classes(vertices_, name);
    colours_ = colours;
  }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>&) {
    classes_ = session.few_colour_classes(vertices_, colours_);
  }
  const Parts& parts() const { return classes_.parts; }
  /// One part, in which there may be neighbours, or none.
  const Parts& rest() const { return classes_.rest; }

 private:
  Vertex* vertices_ = nullptr;
  std::uint32_t colours_ = kDerivedColours;
  PartsAndRest classes_;
};

}  // namespace vertigo::gpu
