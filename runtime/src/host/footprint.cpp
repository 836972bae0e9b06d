#include "host/footprint.h"

#include <nlohmann/json.hpp>
#include <variant>

#include "host/text.h"
#include "vertigo/core/colours.h"
#include "vertigo/core/memory.h"
#include "vertigo/core/number_text.h"

namespace vertigo::host {
namespace {

std::uint64_t weight_bytes(const graph::Weights& weights) {
  return std::visit(
      []<class T>(const T& values) -> std::uint64_t {
        if constexpr (std::is_same_v<T, std::monostate>)
          return 0;
        else
          return values.size() * sizeof(typename T::value_type);
      },
      weights);
}

void add_adjacency(std::vector<ArrayBytes>& arrays, const graph::Adjacency& adjacency,
                   const std::string& name) {
  arrays.push_back({name + " offsets", adjacency.offsets.size() * sizeof(EdgeIndex), false});
  if (adjacency.targets.empty()) return;
  arrays.push_back({name + " targets", adjacency.targets.size() * sizeof(Vertex), false});
  if (const std::uint64_t bytes = weight_bytes(adjacency.weights); bytes > 0)
    arrays.push_back({name + " weights", bytes, false});
  if (!adjacency.records.empty())
    arrays.push_back({name + " attributes", adjacency.records.size(), false});
}

// What the run must hold at least: one array per output column.
std::vector<ArrayBytes> output_arrays(const ProgramInfo& info, const graph::Graph& graph) {
  std::vector<ArrayBytes> arrays;
  for (const OutputInfo& output : info.outputs)
    for (const ScalarKind kind : output.kinds)
      arrays.push_back({std::string(output.state), graph.vertex_count * size_of(kind), false});
  return arrays;
}

std::vector<ArrayBytes> host_arrays(const graph::Graph& graph) {
  std::vector<ArrayBytes> arrays;
  add_adjacency(arrays, graph.out, "out-edges:");
  if (graph.in_adjacency) add_adjacency(arrays, *graph.in_adjacency, "in-edges:");
  const graph::TextIds& texts = graph.ids.texts();
  if (graph.ids.is_text())
    arrays.push_back({"ids of the input",
                      texts.bytes().size() + texts.offsets().size() * sizeof(std::uint64_t),
                      false});
  else if (!graph.ids.is_contiguous())
    arrays.push_back({"ids of the input", graph.ids.size() * sizeof(std::uint64_t), false});
  return arrays;
}

// How many classes stand before a rest is known once they are found, and to find them takes a
// run's time; here stands what was asked for. "": nothing runs in them.
std::string colours_text(const ProgramInfo& info, const RunRequest& request) {
  for (const PhaseInfo& phase : info.phases)
    for (const VariantInfo& variant : phase.variants) {
      if (variant.colours.empty()) continue;
      const std::uint32_t colours =
          request.colours.value_or(parse_colours(variant.colours).value_or(kDerivedColours));
      if (colours == kAllColours) return "one for every colour";
      if (colours == kDerivedColours)
        return "as many as have most vertices, and a rest (found by the run)";
      return counted(colours, "class", "classes") + " at most, and a rest (found by the run)";
    }
  return "";
}

const char* place_of(const ArrayBytes& array) {
  return array.on_file ? "file" : array.on_device ? "device" : "host";
}

}  // namespace

Footprint footprint_of(const Target& target, const RunRequest& request) {
  Footprint footprint;
  if (target.footprint != nullptr) {
    footprint = target.footprint(request);
  } else {
    footprint.arrays = output_arrays(*target.info, request.graph);
    footprint.strategy = "in host memory (results alone are counted: the target states no more)";
  }
  std::vector<ArrayBytes> graph_arrays = host_arrays(request.graph);
  footprint.arrays.insert(footprint.arrays.begin(), graph_arrays.begin(), graph_arrays.end());
  return footprint;
}

std::string footprint_text(const Target& target, const RunRequest& request) {
  const Footprint footprint = footprint_of(target, request);
  std::vector<std::vector<std::string>> rows{{"array", "where", "bytes", ""}};
  for (const ArrayBytes& array : footprint.arrays)
    rows.push_back({array.name, place_of(array), grouped(array.bytes), format_bytes(array.bytes)});
  const std::uint64_t host = footprint.bytes(false);
  const std::uint64_t device = footprint.bytes(true);
  rows.push_back({"together", "host", grouped(host), format_bytes(host)});
  if (device > 0) rows.push_back({"together", "device", grouped(device), format_bytes(device)});
  std::string text = format_table(rows, {false, false, true, true});
  text += "free on the host    " + format_bytes(available_memory()) + " (the graph is loaded)\n";
  if (footprint.device_total > 0)
    text += "free on the device  " + format_bytes(footprint.device_free) + " of " +
            format_bytes(footprint.device_total) + "\n";
  if (request.device_memory > 0)
    text += "device budget       " + format_bytes(request.device_memory) + " by --device-memory\n";
  if (const std::string colours = colours_text(*target.info, request); !colours.empty())
    text += "colour classes      " + colours + "\n";
  if (!footprint.strategy.empty()) text += "strategy            " + footprint.strategy + "\n";
  return text;
}

std::string footprint_json(const Target& target, const RunRequest& request) {
  const Footprint footprint = footprint_of(target, request);
  nlohmann::ordered_json json{{"program", target.info->name}, {"exit_code", 0}};
  json["target"] = name_of(target.kind);
  json["arrays"] = nlohmann::ordered_json::array();
  for (const ArrayBytes& array : footprint.arrays)
    json["arrays"].push_back(
        {{"name", array.name}, {"where", place_of(array)}, {"bytes", array.bytes}});
  json["host_bytes"] = footprint.bytes(false);
  json["device_bytes"] = footprint.bytes(true);
  json["host_free"] = available_memory();
  json["device_free"] = footprint.device_free;
  json["device_total"] = footprint.device_total;
  json["device_budget"] = request.device_memory;
  if (const std::string colours = colours_text(*target.info, request); !colours.empty())
    json["colours"] = colours;
  json["strategy"] = footprint.strategy;
  return json.dump() + "\n";
}

}  // namespace vertigo::host
