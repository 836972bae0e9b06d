#include "vertigo/trace/recorder.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace vertigo::trace {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMicroseconds = 1e6;  // the unit of Chrome's format

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// What only some engines and controllers know.
void add_counted(Json& record, const Iteration& iteration) {
  if (iteration.out_edges != 0) record["out_edges"] = iteration.out_edges;
  if (iteration.in_edges != 0) record["in_edges"] = iteration.in_edges;
  if (iteration.predicted > 0) record["predicted"] = iteration.predicted;
  if (iteration.threshold > 0) {
    record["threshold"] = iteration.threshold;
    record["deferred_vertices"] = iteration.deferred_vertices;
  }
  for (const Moved& moved : iteration.moved) {
    Json& entry = record["moved"][moved.way];
    entry = {{"partitions", moved.partitions}, {"bytes", moved.bytes}, {"read", moved.read}};
    if (moved.waited > 0) entry["waited"] = moved.waited;
  }
}

// A line of its own for each name: stages overlap without being nested.
void append_stages(const std::vector<Stage>& stages, std::string& text) {
  constexpr int kFirstLine = 2;  // iterations have line 1
  std::vector<std::string> lines;
  for (const Stage& stage : stages) {
    const auto known = std::ranges::find(lines, stage.name);
    const auto line = kFirstLine + static_cast<int>(known - lines.begin());
    if (known == lines.end()) {
      lines.push_back(stage.name);
      text += ",\n" + dump({{"name", "thread_name"},
                            {"ph", "M"},
                            {"pid", 1},
                            {"tid", line},
                            {"args", {{"name", stage.name}}}});
    }
    text += ",\n" + dump({{"name", stage.name},
                          {"cat", "stage"},
                          {"ph", "X"},
                          {"pid", 1},
                          {"tid", line},
                          {"ts", stage.begin * kMicroseconds},
                          {"dur", (stage.end - stage.begin) * kMicroseconds}});
  }
}

}  // namespace

std::string Recorder::to_json_lines() const {
  std::string text;
  for (const Iteration& iteration : iterations_) {
    Json record{{"phase", iteration.phase},
                {"variant", iteration.variant},
                {"reason", iteration.reason},
                {"step", iteration.step},
                {"active_vertices", iteration.active_vertices},
                {"edges", iteration.edges},
                {"start", iteration.start},
                {"duration", iteration.duration}};
    add_counted(record, iteration);
    if (text.empty() && !link_.empty()) record["link"] = link_;
    text += dump(record) + "\n";
  }
  return text;
}

std::string Recorder::to_chrome_trace() const {
  std::string text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
  text +=
      dump({{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"args", {{"name", "vertigo"}}}});
  if (!link_.empty())
    text += ",\n" + dump({{"name", "process_labels"},
                          {"ph", "M"},
                          {"pid", 1},
                          {"args", {{"labels", "link: " + link_}}}});
  double run = 0;
  for (const Stage& stage : stages_)
    if (stage.name == "run") run = stage.begin;
  append_stages(stages_, text);
  for (const Iteration& iteration : iterations_) {
    const double start = (run + iteration.start) * kMicroseconds;
    Json arguments{{"phase", iteration.phase},
                   {"step", iteration.step},
                   {"active_vertices", iteration.active_vertices},
                   {"edges", iteration.edges},
                   {"reason", iteration.reason}};
    add_counted(arguments, iteration);
    text += ",\n" + dump({{"name", iteration.variant},
                          {"cat", iteration.phase},
                          {"ph", "X"},
                          {"pid", 1},
                          {"tid", 1},
                          {"ts", start},
                          {"dur", iteration.duration * kMicroseconds},
                          {"args", arguments}});
    text += ",\n" + dump({{"name", "active"},
                          {"ph", "C"},
                          {"pid", 1},
                          {"ts", start},
                          {"args", {{"vertices", iteration.active_vertices}}}});
  }
  return text + "\n]}\n";
}

}  // namespace vertigo::trace
