#pragma once
// What the tests of the graph module share: files in a folder of their own, loading from text,
// expected refusals.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "vertigo/core/error.h"
#include "vertigo/graph/reader.h"

namespace vertigo::graph::test {

/// A folder that lives as long as the object.
class Folder {
 public:
  Folder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "vertigo-graph-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view content) const {
    const std::string path = *this / name;
    std::ofstream(path, std::ios::binary)
        .write(content.data(), static_cast<std::streamsize>(content.size()));
    return path;
  }

 private:
  std::filesystem::path path_;
};

/// With which code an action ends; ExitCode::Done where nothing is thrown.
template <class Act>
ExitCode code_of(const Act& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.code();
  }
  return ExitCode::Done;
}

inline LoadedGraph load_text(std::string_view content, const ReadOptions& options = {}) {
  const Folder folder;
  return load_graph(folder.write("graph", content), options);
}

using EdgeTuple = std::tuple<std::uint64_t, std::uint64_t, double>;

using NamedEdge = std::tuple<std::string, std::string, double>;

inline double weight_of(const Graph& graph, EdgeIndex edge) {
  return std::visit(
      [edge](const auto& column) -> double {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(column)>, std::monostate>) {
          return 1;
        } else {
          return static_cast<double>(column[edge]);
        }
      },
      graph.out.weights);
}

/// All edges in the order of the adjacency, whose ids may be text; weight 1 where there is none.
inline std::vector<NamedEdge> named_edges_of(const Graph& graph) {
  const auto name = [&](Vertex v) {
    return graph.ids.is_text() ? std::string(graph.ids.texts()[v])
                               : std::to_string(graph.ids.to_input(v));
  };
  std::vector<NamedEdge> edges;
  for (Vertex v = 0; v < graph.vertex_count; ++v) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      edges.emplace_back(name(v), name(graph.out.targets[i]), weight_of(graph, i));
    }
  }
  return edges;
}

/// All edges by ids of the input, in the order of the adjacency; weight 1 where there is none.
inline std::vector<EdgeTuple> edges_of(const Graph& graph) {
  std::vector<EdgeTuple> edges;
  for (Vertex v = 0; v < graph.vertex_count; ++v) {
    for (EdgeIndex i = graph.out.offsets[v]; i < graph.out.offsets[v + 1]; ++i) {
      edges.emplace_back(graph.ids.to_input(v), graph.ids.to_input(graph.out.targets[i]),
                         weight_of(graph, i));
    }
  }
  return edges;
}

/// Expects InputRefused whose place ends with `place` and whose message contains `message`.
template <class Load>
void expect_refused(const Load& load, const std::string& place, const std::string& message) {
  try {
    load();
    ADD_FAILURE() << "accepted; expected: " << message;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::InputRefused) << error.what();
    EXPECT_TRUE(error.place().ends_with(place)) << error.what() << "\nexpected place: " << place;
    EXPECT_NE(error.message().find(message), std::string::npos)
        << error.what() << "\nexpected: " << message;
    EXPECT_EQ(error.message().find('\n'), std::string::npos);
  }
}

inline void expect_text_refused(std::string_view content, const std::string& place,
                                const std::string& message, const ReadOptions& options = {}) {
  SCOPED_TRACE(content);
  expect_refused([&] { load_text(content, options); }, place, message);
}

inline ReadOptions as(Format format) {
  ReadOptions options;
  options.format = format;
  return options;
}

}  // namespace vertigo::graph::test
