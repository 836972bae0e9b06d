#pragma once
// All vertices in colour classes, no two of one of which are neighbours (Frog, section 3), for
// phases that run one class after the other:
//
//   for (const VertexList part : classes.parts()) { run_class<<<…>>>(graph, part, …); }

#include "vertigo/device/session.cuh"
#include "vertigo/device/vertices.cuh"

namespace vertigo::gpu {

class ColourClasses {
 public:
  void declare(Session& session, const char* name) { session.declare(vertices_, name); }
  template <class Attribute>
  void prepare(Session& session, const Graph<Attribute>&) {
    parts_ = session.colour_classes(vertices_);
  }
  const Parts& parts() const { return parts_; }

 private:
  Vertex* vertices_ = nullptr;
  Parts parts_;
};

}  // namespace vertigo::gpu
