// The summary for machines.
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "host/summary.h"
#include "host/values.h"
#include "vertigo/engines/engines.h"

namespace vertigo::host {
namespace {

using Json = nlohmann::ordered_json;

// File names are bytes; what is not UTF-8 is replaced rather than thrown at the user.
std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json value_json(const Value& value, const graph::IdMap& ids) {
  if (value.kind == ScalarKind::Vertex) {
    const auto vertex = value.as<Vertex>();
    if (vertex == kNoVertex) return nullptr;
    return ids.is_text() ? Json(ids.texts()[vertex]) : Json(ids.to_input(vertex));
  }
  const std::string text = to_text(value, ids);
  if (text == "inf" || text == "-inf") return text;
  // Numbers that float64 cannot hold are strings, as `inf` is.
  if (value.kind == ScalarKind::Wide64 && std::isinf(value.as<double>())) return text;
  if (value.kind == ScalarKind::Wide64) return value.as<double>();
  return std::visit(
      [](auto v) {
        if constexpr (std::is_same_v<decltype(v), Wide64>)
          return Json();
        else
          return Json(v);
      },
      value.data);
}

Json phases_json(const Summary& summary) {
  Json phases = Json::array();
  for (const PhaseSummary& phase : summary.phases) {
    const auto replaced = summary.replaced.find(phase.phase);
    phases.push_back(
        {{"phase", phase.phase},
         {"schedule", phase.schedule},
         {"reason", replaced == summary.replaced.end() ? std::string(phase.reason)
                                                       : "step by step: " + replaced->second},
         {"steps", phase.steps},
         {"edges", phase.edges},
         {"active_vertices", phase.active_vertices}});
  }
  return phases;
}

Json stages_json(const Summary& summary) {
  Json stages = Json::array();
  for (const trace::Stage& stage : summary.stages)
    stages.push_back({{"name", stage.name}, {"begin", stage.begin}, {"end", stage.end}});
  return stages;
}

Json comparisons_json(const Summary& summary) {
  Json rows = Json::array();
  for (const Comparison& row : summary.comparisons)
    rows.push_back({{"schedule", row.schedule},
                    {"rounds", row.steps},
                    {"edges", row.edges},
                    {"bytes", row.bytes},
                    {"seconds", row.seconds},
                    {"runs", row.runs},
                    {"converged", row.converged},
                    {"agrees", row.converged && row.difference.empty() && row.refused.empty()},
                    {"difference", row.difference},
                    {"replaced", row.replaced},
                    {"refused", row.refused}});
  return rows;
}

}  // namespace

std::string summary_json(const Summary& summary, const graph::IdMap& ids, int exit_code) {
  Json json{{"program", summary.program}, {"exit_code", exit_code}};
  if (summary.intake) json["graph"] = graph::to_json(*summary.intake);
  json["target"] = summary.target;
  json["target_reason"] = summary.target_reason;
  json["device"] = summary.device;
  json["schedule"] = summary.schedule;
  json["phases"] = phases_json(summary);
  if (!summary.balance.empty()) json["balance"] = summary.balance;
  if (!summary.colours.empty()) json["colours"] = summary.colours;
  if (!summary.paths.empty()) json["paths"] = summary.paths;
  if (!summary.placement.empty()) json["memory"] = summary.placement;
  if (!summary.moved.empty()) json["moved"] = summary.moved;
  if (!summary.link.empty()) json["link"] = summary.link;
  json["converged"] = summary.converged;
  json["reports"] = Json::object();
  for (const auto& [name, value] : summary.reports)
    json["reports"][name] = value ? value_json(*value, ids) : Json();
  json["results"] = Json::array();
  for (const ColumnFacts& column : summary.columns)
    json["results"].push_back({{"name", column.name},
                               {"kind", kind_name(column.kind)},
                               {"finite", column.finite},
                               {"minimum", column.least},
                               {"maximum", column.greatest}});
  json["seconds"] = {{"load", summary.load},
                     {"preprocess", summary.preprocess},
                     {"preparation", summary.preparation},
                     {"transfer", summary.transfer},
                     {"run", summary.run},
                     {"check", summary.check},
                     {"output", summary.output},
                     {"wall", summary.wall}};
  json["stages"] = stages_json(summary);
  if (!summary.runs.empty()) {
    const auto [least, greatest] = std::ranges::minmax(summary.runs);
    json["runs"] = {{"count", summary.runs.size()},
                    {"minimum", least},
                    {"median", median(summary.runs)},
                    {"maximum", greatest},
                    {"seconds", summary.runs}};
  }
  if (summary.checked)
    json["check"] = {{"passed", summary.checked->passed},
                     {"checked", summary.checked->checked},
                     {"failures", summary.checked->failures}};
  if (!summary.comparisons.empty()) {
    json["comparisons"] = comparisons_json(summary);
    json["compared_all"] = summary.compared_all;
    json["checked_instead"] = {{"outputs", summary.open.outputs},
                               {"reports", summary.open.reports}};
  }
  json["output"] = summary.output_path.empty() ? Json(nullptr) : Json(summary.output_path);
  return dump(json);
}

std::string error_json(const std::string& program, const std::string& message,
                       const std::string& place, int exit_code) {
  return dump({{"program", program},
               {"exit_code", exit_code},
               {"error", {{"message", message}, {"place", place}}}});
}

namespace {

Json engine_row(const engines::Contract& engine) {
  Json forms = Json::array();
  for (const engines::Form& form : engine.forms)
    if (!form.name.empty()) forms.push_back({{"name", form.name}, {"graphs", form.graphs}});
  Json row = {{"summary", engine.summary},
              {"needs", engine.needs},
              {"why", engine.why},
              {"whole_graph", engine.whole_graph},
              {"one_device", engine.one_device},
              {"reads_copies", engine.reads_copies},
              {"forms", forms},
              {"forms_by_diameter", engine.forms_by_diameter}};
  if (engine.edges_below != 0) row["edges_below"] = engine.edges_below;
  if (const engines::Preparation& made = engine.preparation; !made.what.empty())
    row["preparation"] = {{"what", made.what},
                          {"ns_per_edge", made.cost},
                          {"ns_per_edge_saved_by_each_run", made.saved}};
  return row;
}

Json schedule_row(const PhaseInfo& phase, std::size_t i) {
  const VariantInfo& variant = phase.variants[i];
  Json row = {{"phase", phase.name},
              {"variant", variant.name},
              {"preferred", i == phase.preferred},
              {"reason", variant.reason}};
  if (const engines::Contract* const engine = engines::find(variant.name))
    row["engine"] = engine_row(*engine);
  if (variant.symmetric) row["symmetric_graphs"] = true;
  if (variant.no_duplicates) row["no_duplicates"] = true;
  if (variant.parts != EdgeParts::Whole)
    row["edges_in_parts"] =
        std::array{"whole", "none", "out", "in", "both"}[static_cast<std::size_t>(variant.parts)];
  return row;
}

}  // namespace

std::string schedules_json(const ProgramInfo& info) {
  Json rows = Json::array();
  for (const PhaseInfo& phase : info.phases)
    for (std::size_t i = 0; i < phase.variants.size(); ++i) rows.push_back(schedule_row(phase, i));
  return dump({{"program", info.name}, {"schedules", rows}});
}

}  // namespace vertigo::host
