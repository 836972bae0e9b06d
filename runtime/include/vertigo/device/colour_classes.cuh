#pragma once
// All vertices in colour classes, no two of one of which are neighbours (Frog, section 3), for
// phases that run one class after the other; or the first of these classes, and a rest of all
// vertices that are in none:
//
//   launch_parts(run_class, session, classes.parts(), graph, classes.parts(), …);
//   launch_parts(run_rest, session, classes.rest(), graph, classes.rest(), …);

#include "vertigo/core/colour_turn.h"
#include "vertigo/device/parts.cuh"
#include "vertigo/device/session.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

class ColourClasses {
 public:
  void declare(Session& session, const char* name) { session.declare_classes(vertices_, name); }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>&) {
    parts_ = session.colour_classes(vertices_).parts;
  }
  const VertexParts& parts() const { return parts_; }

 private:
  Vertex* vertices_ = nullptr;
  VertexParts parts_;
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
  const VertexParts& parts() const { return classes_.parts; }
  /// One list, in which there may be neighbours, or none.
  const VertexParts& rest() const { return classes_.rest; }

 private:
  Vertex* vertices_ = nullptr;
  std::uint32_t colours_ = kDerivedColours;
  PartsAndRest classes_;
};

}  // namespace vertigo::gpu
