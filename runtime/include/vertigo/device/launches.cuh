#pragma once
// The launches that a kernel becomes where the edges that it reads come to the device in parts.

#include <cstddef>

#include "vertigo/device/buffers.cuh"

namespace vertigo::gpu {

namespace detail {

/// Where a task's kernel finds lists of edges.
struct TaskLists {
  const EdgeIndex* offsets = nullptr;
  const Vertex* targets = nullptr;
  const void* attributes = nullptr;
};
/// One of the launches that a kernel becomes where edges come to the device in parts.
struct Task {
  TaskLists out;
  TaskLists in;
  Worklist list;     ///< of a kernel over a list: its vertices in this launch
  Vertex first = 0;  ///< of a kernel over all vertices: the range that it goes through
  Vertex last = 0;
};

}  // namespace detail

class Session;

/// The next of a session's launches; false where there is none left (session.cuh).
template <class Part>
bool next_part(Session& session, Part& part);

/// The graph as one launch sees it, and the vertices that the launch is for.
template <class Attribute>
struct PartOfList {
  Graph<Attribute> graph;
  Worklist list;
};

/// The launches that a kernel becomes, one after the other: `for (const auto& part : ...)` launches
/// it with what `part` says.
template <class Part>
class Launches {
 public:
  class Iterator {
   public:
    Iterator(Session& session, const Part& whole, bool in_parts)
        : session_(session), part_(whole), in_parts_(in_parts) {
      if (in_parts_) ++*this;
    }
    const Part& operator*() const { return part_; }
    Iterator& operator++() {
      more_ = in_parts_ && next_part(session_, part_);
      return *this;
    }
    bool operator!=(std::nullptr_t) const { return more_; }

   private:
    Session& session_;
    Part part_;
    bool in_parts_;
    bool more_ = true;
  };

  Launches(Session& session, const Part& whole, bool in_parts)
      : session_(session), whole_(whole), in_parts_(in_parts) {}
  Iterator begin() const { return {session_, whole_, in_parts_}; }
  std::nullptr_t end() const { return nullptr; }

 private:
  Session& session_;
  Part whole_;
  bool in_parts_;
};

}  // namespace vertigo::gpu
