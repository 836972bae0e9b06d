// A file of its own: strong_components.hpp hides the get() that disjoint_sets.hpp needs.
#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>

#include "oracle_graph.h"

namespace vertigo::oracle {

Answer scc(const OracleGraph& graph, const Request&) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> arcs(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const Arc& arc : graph.out[v]) boost::add_edge(v, arc.to, arcs);
  std::vector<std::size_t> number(graph.size());
  std::vector<std::size_t> smallest(graph.size(), kNobody);
  boost::strong_components(arcs, boost::make_iterator_property_map(
                                     number.begin(), boost::get(boost::vertex_index, arcs)));
  std::vector<std::size_t> component(graph.size());
  for (std::size_t v = 0; v < graph.size(); ++v) {
    std::size_t& least = smallest[number[v]];
    least = std::min(least, v);
    component[v] = least;
  }
  return {{}, {component}, {}};
}

}  // namespace vertigo::oracle
