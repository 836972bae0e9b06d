// oracle ALGORITHM PREFIX [--option value]...: the answer of textbook code on PREFIX.v and
// PREFIX.e, as lines `vertex value`. Shares no code with the project.
//   --direction directed|undirected   --self-loops keep|drop   --source, --sources, --damping, ...
// oracle validate_mis|validate_colouring PREFIX --result FILE: exit status 1 and why, if not valid.
#include <cstdio>
#include <exception>
#include <stdexcept>

#include "oracle_graph.h"

namespace vertigo::oracle {
namespace {

using Algorithm = Answer (*)(const OracleGraph&, const Request&);
using Validator = std::string (*)(const OracleGraph&, const std::string&);

const std::map<std::string, Algorithm> kAlgorithms{
    {"bfs", bfs},
    {"bfs_parents", bfs_parents},
    {"sssp", sssp},
    {"sssp_parents", sssp_parents},
    {"saturated_parents", saturated_parents},
    {"shortest_with_fewest_edges", shortest_with_fewest_edges},
    {"last_edges", last_edges},
    {"paths_filtered", paths_filtered},
    {"paths_back", paths_back},
    {"paths_both", paths_both},
    {"levels_around", levels_around},
    {"told_once", told_once},
    {"paths_around", paths_around},
    {"trees_around", trees_around},
    {"paths_tolled", paths_tolled},
    {"paths_by_weights", paths_by_weights},
    {"visits_once", visits_once},
    {"paths_of_vertices", paths_of_vertices},
    {"paths_between", paths_between},
    {"paths_gated", paths_gated},
    {"modes_of_types", modes_of_types},
    {"distinct_values", distinct_values},
    {"timetable", timetable},
    {"widest_path", widest_path},
    {"widest_path_hubs", widest_path_hubs},
    {"wcc", wcc},
    {"labels_chosen", labels_chosen},
    {"labels_one_way", labels_one_way},
    {"scc", scc},
    {"bc", bc},
    {"harmonic", harmonic},
    {"pagerank", pagerank},
    {"personalised_pagerank", personalised_pagerank},
    {"katz", katz},
    {"php", php},
    {"adsorption", adsorption},
    {"pagerank_graphalytics", pagerank_graphalytics},
    {"hits", hits},
    {"kcore", kcore},
    {"cdlp", cdlp},
    {"edges_peeled", edges_peeled},
    {"ktruss", ktruss},
    {"triangles", triangles},
    {"local_clustering", local_clustering},
    {"corners", corners},
    {"adamic_adar", adamic_adar},
    {"shared_values", shared_values},
    {"common_receivers", common_receivers},
    {"settled", settled},
    {"asked_first", asked_first},
    {"walks_by_level", walks_by_level},
    {"edges_weighed", edges_weighed},
    {"jaccard", jaccard},
    {"edges_numbered", edges_numbered},
    {"overlaps", overlaps},
    {"corners_weighed", corners_weighed},
};
const std::map<std::string, Validator> kValidators{{"validate_mis", validate_mis},
                                                   {"validate_forest", validate_forest},
                                                   {"validate_colouring", validate_colouring}};

void print(double value) {
  if (value == kUnreached)
    std::printf(" inf");
  else
    std::printf(" %.17g", value);
}

void print(const OracleGraph& graph, const Answer& answer) {
  if (answer.numbers.empty() && answer.vertices.empty())
    for (const auto& [name, value] : answer.reports) std::printf("%s %.17g\n", name.c_str(), value);
  else
    for (std::size_t v = 0; v < graph.size(); ++v) {
      std::printf("%llu", static_cast<unsigned long long>(graph.ids[v]));
      for (const auto& column : answer.numbers) print(column[v]);
      for (const auto& column : answer.vertices) {
        if (column[v] == kNobody)
          std::printf(" none");
        else
          std::printf(" %llu", static_cast<unsigned long long>(graph.ids[column[v]]));
      }
      std::printf("\n");
    }
}

int run(int count, char** words) {
  if (count < 3 || count % 2 == 0) throw std::runtime_error("usage: oracle ALGORITHM PREFIX ...");
  Request request{words[1], {}};
  for (int i = 3; i + 1 < count; i += 2) request.options[words[i] + 2] = words[i + 1];
  const OracleGraph graph = read_graph(words[2], request.text("direction") == "undirected",
                                       request.text("self-loops") == "drop");
  if (const auto found = kValidators.find(request.algorithm); found != kValidators.end()) {
    const std::string wrong = found->second(graph, request.text("result"));
    if (!wrong.empty()) std::printf("%s\n", wrong.c_str());
    return wrong.empty() ? 0 : 1;
  }
  const auto found = kAlgorithms.find(request.algorithm);
  if (found == kAlgorithms.end()) throw std::runtime_error("no oracle for " + request.algorithm);
  print(graph, found->second(graph, request));
  return 0;
}

}  // namespace
}  // namespace vertigo::oracle

int main(int count, char** words) {
  try {
    return vertigo::oracle::run(count, words);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "oracle: %s\n", error.what());
    return 2;
  }
}
