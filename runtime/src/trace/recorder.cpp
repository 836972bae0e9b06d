#include "vertigo/trace/recorder.h"

#include <nlohmann/json.hpp>

namespace vertigo::trace {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

std::string Recorder::to_json_lines() const {
  std::string text;
  for (const Iteration& iteration : iterations_)
    text += dump({{"phase", iteration.phase},
                  {"variant", iteration.variant},
                  {"reason", iteration.reason},
                  {"step", iteration.step},
                  {"active_vertices", iteration.active_vertices},
                  {"edges", iteration.edges},
                  {"start", iteration.start},
                  {"duration", iteration.duration}}) +
            "\n";
  return text;
}

std::string Recorder::to_chrome_trace() const {
  constexpr double kMicroseconds = 1e6;  // the unit of the format
  std::string text = "{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n";
  text +=
      dump({{"name", "process_name"}, {"ph", "M"}, {"pid", 1}, {"args", {{"name", "vertigo"}}}});
  for (const Iteration& iteration : iterations_) {
    const double start = iteration.start * kMicroseconds;
    text += ",\n" + dump({{"name", iteration.variant},
                          {"cat", iteration.phase},
                          {"ph", "X"},
                          {"pid", 1},
                          {"tid", 1},
                          {"ts", start},
                          {"dur", iteration.duration * kMicroseconds},
                          {"args",
                           {{"phase", iteration.phase},
                            {"step", iteration.step},
                            {"active_vertices", iteration.active_vertices},
                            {"edges", iteration.edges},
                            {"reason", iteration.reason}}}});
    text += ",\n" + dump({{"name", "active"},
                          {"ph", "C"},
                          {"pid", 1},
                          {"ts", start},
                          {"args", {{"vertices", iteration.active_vertices}}}});
  }
  return text + "\n]}\n";
}

}  // namespace vertigo::trace
