#include "intake_json.h"

namespace vertigo::graph {
namespace {

using nlohmann::json;

template <class T>
std::optional<T> optional_of(const json& value) {
  return value.is_null() ? std::nullopt : std::optional<T>(value.get<T>());
}

Compression compression_of(const std::string& name) {
  for (const Compression each : {Compression::Gzip, Compression::Zstd, Compression::Xz})
    if (name == name_of(each)) return each;
  return Compression::None;
}

WeightKind weights_of(const std::string& name) {
  return name == "integer" ? WeightKind::Integer
         : name == "real"  ? WeightKind::Real
                           : WeightKind::None;
}

// Numbers, or text for both of them.
void take_ids(const json& value, IntakeReport& report) {
  report.text_ids = value.at("ids") == "text";
  if (report.text_ids) {
    value.at("smallest_id").get_to(report.first_text);
    value.at("largest_id").get_to(report.last_text);
  } else {
    value.at("smallest_id").get_to(report.smallest_id);
    value.at("largest_id").get_to(report.largest_id);
  }
  value.at("ids_contiguous").get_to(report.ids_contiguous);
  report.index_base = optional_of<int>(value.at("index_base")).value_or(-1);
}

void take_weights(const json& value, IntakeReport& report) {
  report.weights = weights_of(value.at("weights"));
  value.at("weights_ignored").get_to(report.weights_ignored);
  report.smallest_weight = optional_of<double>(value.at("smallest_weight")).value_or(0);
  report.largest_weight = optional_of<double>(value.at("largest_weight")).value_or(0);
  value.at("negative_weights").get_to(report.negative_weights);
  value.at("zero_weights").get_to(report.zero_weights);
}

}  // namespace

IntakeReport intake_of(const json& value) {
  IntakeReport report;
  report.format = format_named(value.at("format")).value_or(Format::Cached);
  value.at("format_evidence").get_to(report.format_evidence);
  report.compression = compression_of(value.at("compression"));
  report.vertices_declared = optional_of<std::uint64_t>(value.at("vertices_declared"));
  report.edges_declared = optional_of<std::uint64_t>(value.at("edges_declared"));
  for (const auto& [name, count] : std::initializer_list<std::pair<const char*, std::uint64_t*>>{
           {"vertices", &report.vertices},
           {"edges_read", &report.edges_read},
           {"edges", &report.edges},
           {"self_loops", &report.self_loops},
           {"duplicates", &report.duplicates},
           {"self_loops_dropped", &report.self_loops_dropped},
           {"duplicates_merged", &report.duplicates_merged},
           {"reverse_edges_added", &report.reverse_edges_added},
           {"isolated_vertices", &report.isolated_vertices},
           {"max_out_degree", &report.max_out_degree}})
    value.at(name).get_to(*count);
  value.at("columns_used").get_to(report.columns_used);
  value.at("columns_unused").get_to(report.columns_unused);
  take_ids(value, report);
  value.at("symmetric").get_to(report.symmetric);
  take_weights(value, report);
  value.at("mean_out_degree").get_to(report.mean_out_degree);
  value.at("skew").get_to(report.skew);
  value.at("notes").get_to(report.notes);
  return report;
}

}  // namespace vertigo::graph
