#include "host/invocation.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <system_error>
#include <utility>

#include "host/arguments.h"
#include "host/execution.h"
#include "host/failure_report.h"
#include "host/footprint.h"
#include "host/inputs.h"
#include "host/load.h"
#include "host/output_records.h"
#include "host/text.h"
#include "vertigo/core/error.h"
#include "vertigo/core/parallel.h"
#include "vertigo/core/threads.h"
#include "vertigo/core/variant.h"
#include "vertigo/engines/engines.h"
#include "vertigo/graph/reading_device.h"
#include "vertigo/reference/reference.h"
#include "vertigo/trace/profiler.h"

namespace vertigo::host {
namespace {

// Where the interpreter runs, every phase has the one schedule that defines the language.
RunResult interpret(const ProgramInfo& info, const RunRequest& request) {
  const Stopwatch watch;
  RunResult result = reference::interpret_text(info.program_ir, request);
  if (result.timing.run <= 0) result.timing.run = watch.seconds();
  return result;
}

// Of the files, as far as they are there.
std::uint64_t bytes_of(const std::string& source, const graph::ReadOptions& options) {
  std::uint64_t bytes = 0;
  for (const std::string& file : graph::source_files(source, options)) {
    std::error_code none;
    const auto size = std::filesystem::file_size(file, none);
    if (!none) bytes += size;
  }
  return bytes;
}

// The device of the target that is being looked for. Whoever asks it for something waits for that.
class DeviceOfSearch final : public graph::ReadingDevice {
 public:
  DeviceOfSearch(TargetSearch& search, unsigned device) : search_(search), device_(device) {}
  std::unique_ptr<graph::DeviceEdges> parse(const graph::EdgeText& text) override {
    return found()->parse(text);
  }
  graph::TakenLists take(const graph::StoredLists& stored) override {
    return found()->take(stored);
  }

 private:
  std::shared_ptr<graph::ReadingDevice> found() {
    const TargetChoice choice = search_.started();
    if (choice.target->reading_device == nullptr)
      throw graph::DeviceDoubt{"the program runs on the CPU"};
    return choice.target->reading_device(device_);
  }

  TargetSearch& search_;
  unsigned device_;
};

bool is_balanced_by_graph(const ProgramInfo& info) {
  for (const PhaseInfo& phase : info.phases)
    for (const VariantInfo& variant : phase.variants)
      if (variant.balanced_by_graph) return true;
  return false;
}

template <class Test>
bool may_run(const ProgramInfo& info, const Test& test) {
  for (const PhaseInfo& phase : info.phases)
    for (const VariantInfo& variant : phase.variants)
      if (const auto kind = read_variant(variant.name); kind && test(*kind)) return true;
  return false;
}

/// Whether a phase may run along paths, or in colour classes: what the graph's file may hold.
bool may_walk_paths(const ProgramInfo& info) {
  return may_run(info, [](const VariantKind& kind) {
    const auto* const name = std::get_if<EngineName>(&kind);
    const engines::Contract* const engine = name == nullptr ? nullptr : engines::find(name->name);
    return engine != nullptr && engine->walks_paths;
  });
}
bool may_run_coloured(const ProgramInfo& info) {
  return may_run(info, [](const VariantKind& kind) {
    const auto* const path = std::get_if<ExecutionPath>(&kind);
    return path != nullptr && path->timing == vertigo::Timing::Coloured;
  });
}

bool has_colours(const ProgramInfo& info) {
  for (const PhaseInfo& phase : info.phases)
    for (const VariantInfo& variant : phase.variants)
      if (!variant.colours.empty()) return true;
  return false;
}

}  // namespace

Invocation::Invocation(const CommandLine& line, const Options& options, const Streams& streams,
                       const Targets& targets)
    : line_(line),
      options_(options),
      streams_(streams),
      info_(targets.info()),
      console_(streams, options.quiet) {
  if (!line.graph)
    throw Error(ExitCode::Usage, "which graph? name a file or a generator expression");
  if (line.graph->empty()) throw Error(ExitCode::Usage, "the name of the graph is empty");
  check_arguments(info_, line);
  read_options_ = read_options_of(info_, line);
  if (!tells()) read_options_.isolated_later = true;
  cache_ = cache_of(line);
  // Copies in the cached form are for devices; reading them takes memory.
  read_options_.preparations = info_.edge && options.target != TargetWish::Cpu &&
                               options.prepare.value_or(info_.prepare) != Prepare::Never;
  read_options_.host_memory = options.host_memory;
  // What the interpreter and --check read, they read in memory.
  read_options_.may_stay_on_file = targets.gpu != nullptr && options.target != TargetWish::Cpu &&
                                   !options.interpret && !options.check;
  // These serve every target.
  const bool takes_layouts = options.prepare.value_or(info_.prepare) != Prepare::Never;
  read_options_.paths = takes_layouts && may_walk_paths(info_);
  read_options_.colours = takes_layouts && may_run_coloured(info_);
  read_options_.in_place =
      options.interpret || targets.gpu == nullptr || options.target == TargetWish::Cpu;
  if (line.has("schedule")) schedule_ = resolve_schedule(info_, options.schedule);
  if (options.interpret) return;
  // What the device may be used for is said in bytes: reading is none of it unless it is asked for.
  const bool spared = options.device_memory != 0 && read_options_.read_by != graph::ReadBy::Device;
  const bool may_use_gpu = targets.gpu != nullptr && options.target != TargetWish::Cpu && !spared;
  // What stays in host memory, and what --check reads there, the host turns round.
  const Transfer transfer = options.transfer.value_or(info_.transfer);
  const bool stays_there = !options.check && !options.dry_run &&
                           (transfer == Transfer::Auto || transfer == Transfer::Resident);
  const bool by_host = line.has("read") && read_options_.read_by == graph::ReadBy::Host;
  turns_on_device_ = may_use_gpu && !by_host && stays_there;
  if (may_use_gpu && targets.gpu->reading_device != nullptr)
    read_options_.reading_device =
        std::make_shared<DeviceOfSearch>(search_, options.device.value_or(0));
  // Whether there is a GPU takes CUDA a while to say; what it is asked for by number, it says
  // first.
  const bool aside = targets.gpu != nullptr && options.target != TargetWish::Cpu && !options.device;
  search_.begin([this, targets] { return choose(targets); }, options.device.value_or(0),
                aside ? TargetSearch::Where::Aside : TargetSearch::Where::Here);
}

TargetChoice Invocation::choose(const Targets& targets) const {
  TargetChoice choice = choose_target(options_.target, options_.device, targets);
  const bool on_cpu = choice.target->kind == TargetKind::Cpu;
  if (options_.diameter != Diameter::Estimated && on_cpu)
    throw Error(ExitCode::Usage, "--diameter: on the CPU every engine has one form");
  if (options_.balance != EdgeSharing::Auto && on_cpu)
    throw Error(ExitCode::Usage, "--balance: on the CPU one thread follows the edges of a list");
  if (options_.balance != EdgeSharing::Auto && !is_balanced_by_graph(*choice.target->info))
    throw Error(ExitCode::Usage, "--balance: pinned when this program was compiled");
  if (options_.colours && !has_colours(*choice.target->info))
    throw Error(ExitCode::Usage,
                "--colours: no phase of this program runs in colour classes and a rest; compile it "
                "with --schedule timing=coloured");
  if (options_.paths && !may_walk_paths(*choice.target->info))
    throw Error(ExitCode::Usage,
                "--paths: no phase of this program runs along paths; compile it with --schedule "
                "order=path");
  if (read_options_.read_by == graph::ReadBy::Device && on_cpu)
    throw Error(ExitCode::Usage, "--read device: on the CPU the host reads");
  if (options_.transfer && on_cpu)
    throw Error(ExitCode::Usage, "--transfer: on the CPU edges are read where they lie");
  if (line_.has("host-memory") && on_cpu)
    throw Error(ExitCode::Usage, "--host-memory: on the CPU edges are read in memory of the host");
  if (line_.has("device-memory") && on_cpu)
    throw Error(ExitCode::Usage,
                "--device-memory: the CPU computes in memory of the host, which this option does "
                "not limit");
  return choice;
}

int Invocation::run() {
  try {
    open_files();
    take_threads();
    if (!search_.has_failed()) read();
  } catch (...) {
    // A target that is not there is told before what is wrong with files.
    if (!options_.interpret) search_.choice();
    throw;
  }
  if (!options_.interpret) choice_ = search_.choice();
  load();
  if (options_.dry_run) {
    dry_run();
    return static_cast<int>(ExitCode::Done);
  }
  const RunResult result = execute();
  const auto columns = output_columns(info_, result, loaded_.graph.vertex_count);
  refuse_nan(columns, info_, result, loaded_.graph.ids);
  for (const OutputColumn& output : columns)
    if (tells()) summary_.columns.push_back(column_facts(*output.column, loaded_.graph.ids));
  for (const ReportInfo& report : info_.reports) {
    const Value* const value = find_report(result, report.name);
    summary_.reports.emplace_back(report.name,
                                  value == nullptr ? std::nullopt : std::optional(*value));
  }
  // A result that is known to be wrong never takes the place of a file.
  const bool agreed = std::ranges::all_of(
      summary_.comparisons, [](const Comparison& row) { return row.difference.empty(); });
  const bool is_right = check(result) && agreed;
  const std::jthread leaving = leave_device();
  if (is_right) write(result);
  summary_.stages = trace::in_order(std::move(summary_.stages));
  write_traces();
  // Where a trace cannot be written, no result is left behind.
  if (is_right && output_ != nullptr) commit();
  return conclude();
}

void Invocation::take_threads() {
  const int missing = start_threads(static_cast<int>(options_.threads));
  if (missing > 0)
    console_.say("note: the system starts no more threads: " + std::to_string(missing) +
                 " fewer than wanted");
}

void Invocation::open_files() {
  const OverwriteRule rule = options_.force ? OverwriteRule::Force : OverwriteRule::RegularOnly;
  const auto open = [&](const std::string& path) {
    return path.empty() || path == "-" ? nullptr : std::make_unique<AtomicFile>(path, rule);
  };
  output_ = open(options_.output);
  trace_ = open(options_.trace);
  report_ = open(options_.report);
  refuse_spoilt_files(
      info_, line_, read_options_,
      {{"output", output_.get()}, {"trace", trace_.get()}, {"report", report_.get()}},
      options_.output == "-" || options_.json);
}

void Invocation::read() {
  console_.stage("loading " + printable(*line_.graph), bytes_of(*line_.graph, read_options_));
  const Stopwatch watch;
  loaded_ = [&] {
    const trace::ProfilerRange range("load");
    const trace::StageScope stage(summary_.stages, "load");
    return load_for(info_, *line_.graph, read_options_, cache_);
  }();
  summary_.load = watch.seconds();
  std::ranges::move(loaded_.report.stages, std::back_inserter(summary_.stages));
  if (info_.needs_transpose) transpose();
  summary_.intake = loaded_.report;
}

void Invocation::transpose() {
  console_.stage("transposing");
  const trace::ProfilerRange range("preprocess");
  const Stopwatch watch;
  hold_lists();
  const trace::StageScope stage(summary_.stages,
                                loaded_.graph.out.on_device ? "transpose there" : "transpose");
  graph::build_transpose(loaded_.graph);
  if (tells()) loaded_.report.isolated_vertices = graph::count_isolated(loaded_.graph);
  summary_.preprocess = watch.seconds();
}

// A device turns lists round in a fraction of the host's time, and has them for the run then. Lists
// that the host turns round while CUDA starts cost nothing.
void Invocation::hold_lists() {
  constexpr EdgeIndex kEdgesPerThread = EdgeIndex{1} << 23;
  const graph::Graph& graph = loaded_.graph;
  if (graph.symmetric || graph.in_adjacency || graph.on_file || graph.out.on_device ||
      !graph.out.records.empty() || !turns_on_device_)
    return;
  const bool is_long = graph.edge_count >= kEdgesPerThread * static_cast<EdgeIndex>(thread_count());
  if (!is_long && read_options_.read_by != graph::ReadBy::Device) return;
  const TargetChoice choice = search_.started();
  if (choice.target->hold_lists == nullptr) return;
  const trace::StageScope stage(summary_.stages, "send lists");
  loaded_.graph.out.on_device =
      choice.target->hold_lists(options_.device.value_or(0), graph.out, !graph.no_duplicates);
}

void Invocation::load() {
  console_.say(graph::to_text(loaded_.report));
  refuse_records(info_, loaded_.graph.ids, options_.output_format);
  arguments_ = bind_arguments(info_, line_, loaded_.graph);
  refuse_edges_outside_phases(info_, loaded_.graph);
  negative_weights_ = has_negative_values(info_, loaded_.graph, arguments_);
  if (!options_.interpret) refuse_unfit(info_, request());
  cycles_ = reference::search_cycles(info_.program_ir);
  check_request(info_, options_.interpret ? TargetKind::Cpu : choice_.target->kind, request());
  summary_.program = info_.name;
  summary_.target = options_.interpret ? "interpreter" : name_of(choice_.target->kind);
  summary_.target_reason = choice_.reason;
  if (choice_.target != nullptr && choice_.target->device != nullptr)
    summary_.device = choice_.target->device(options_.device.value_or(0));
  summary_.schedule = options_.compare_schedules ? "all" : schedule_text(info_, schedule_);
}

RunRequest Invocation::request() {
  const bool traced = trace_ != nullptr || report_ != nullptr;
  return {.graph = loaded_.graph,
          .arguments = arguments_,
          .schedule = schedule_,
          .step_limit = options_.step_limit,
          .device = options_.device.value_or(0),
          .device_memory = options_.device_memory,
          .host_memory = read_options_.host_memory,
          .deterministic = options_.deterministic,
          .trace = traced ? &recorder_ : nullptr,
          .prepare = options_.prepare.value_or(info_.prepare),
          .diameter = options_.diameter,
          .balance = options_.balance,
          .transfer = options_.transfer.value_or(info_.transfer),
          .colours = options_.colours,
          .paths = options_.paths.value_or(PathChoice{}),
          .negative_weights = negative_weights_,
          .cycles = loaded_.graph.on_file ? nullptr : cycles_.get(),
          .kept_folder = cache_ ? cache_->folder() : ""};
}

RunResult Invocation::execute() {
  search_.finish(summary_.stages);
  console_.stage("running " + std::string(info_.name) + " on " + summary_.target);
  if (options_.compare_schedules)
    return compare_schedules(*choice_.target, request(), options_.runs, console_, summary_);
  if (options_.interpret)
    return run_repeatedly(
        nullptr, [&](const RunRequest& r) { return interpret(info_, r); }, false, request(),
        options_.runs, summary_);
  const LawfulRuns lawful(info_, request());
  return run_repeatedly(&lawful, choice_.target->run, choice_.target->repeats, request(),
                        options_.runs, summary_);
}

bool Invocation::check(const RunResult& result) {
  // What a limit cut short is not expected to be a fixed point; the exit code says so.
  if (!options_.check || !result.converged) return true;
  console_.stage("checking");
  const trace::StageScope stage(summary_.stages, "check");
  const Stopwatch watch;
  summary_.checked = reference::check_text(info_.program_ir, request(), result);
  summary_.check = watch.seconds();
  return summary_.checked->passed;
}

// Nobody asks for edges any more, nor for the device that may hold them.
std::jthread Invocation::leave_device() {
  if (!streams_.ends_beside || options_.output.empty() || choice_.target == nullptr ||
      choice_.target->end == nullptr || loaded_.graph.vertex_count < *streams_.ends_beside)
    return {};
  read_options_.reading_device.reset();
  auto leave = [end = choice_.target->end, device = options_.device.value_or(0),
                out = std::exchange(loaded_.graph.out, {}),
                in = std::exchange(loaded_.graph.in_adjacency, std::nullopt)]() mutable {
    out = {};
    in.reset();
    end(device);
  };
  try {
    return std::jthread(std::move(leave));
  } catch (const std::system_error&) {
    return {};  // it ends with the process
  }
}

void Invocation::write(const RunResult& result) {
  if (options_.output.empty()) return;
  console_.stage("writing " + printable(options_.output));
  const trace::StageScope stage(summary_.stages, "write");
  const Stopwatch watch;
  if (output_ != nullptr) {
    write_result(info_, result, loaded_.graph, options_.output_format,
                 [&](std::string_view text) { output_->write(text); });
  } else {
    write_result(info_, result, loaded_.graph, options_.output_format,
                 [&](std::string_view text) { write_out(streams_, text); });
    flush_out(streams_);
  }
  summary_.output = watch.seconds();
  summary_.output_path = options_.output;
}

void Invocation::commit() {
  const Stopwatch watch;
  output_->commit();
  summary_.output += watch.seconds();
}

void Invocation::write_traces() {
  recorder_.set_stages(summary_.stages);
  if (trace_ != nullptr) {
    trace_->write(options_.trace_format == TraceFormat::Chrome ? recorder_.to_chrome_trace()
                                                               : recorder_.to_json_lines());
    trace_->commit();
  }
  if (report_ != nullptr) {
    report_->write(recorder_.to_html(std::string(info_.name) + " on " + *line_.graph));
    report_->commit();
  }
}

void Invocation::dry_run() {
  console_.stage("");
  if (options_.json) {
    write_out(streams_, footprint_json(*choice_.target, request()));
    return flush_out(streams_);
  }
  std::string target = "target      " + summary_.target;
  if (!summary_.device.empty()) target += ", " + summary_.device;
  console_.say(target + " (" + choice_.reason + ")");
  write_out(streams_, footprint_text(*choice_.target, request()));
  flush_out(streams_);
}

// The table is what was asked for: it is there with --quiet, too, unless --json says the same.
void Invocation::say_comparison() {
  const std::string table = comparison_table(summary_) + note_on_schedules(info_);
  if (!options_.quiet || options_.json) return console_.say(table);
  streams_.err << table << std::flush;
}

int Invocation::conclude() {
  console_.stage("");
  summary_.wall = trace::process_seconds();
  ExitCode code = ExitCode::Done;
  std::string failure;
  if (!summary_.converged) {
    code = ExitCode::NotConverged;
    failure = "--step-limit ended the run before it converged";
    if (options_.check) failure += "; the result was not checked";
  }
  for (const Comparison& row : summary_.comparisons)
    if (!row.difference.empty() && code != ExitCode::CheckFailed) {
      code = ExitCode::CheckFailed;
      failure = "schedule " + row.schedule + " disagrees: " + row.difference;
    }
  if (summary_.checked && !summary_.checked->passed) {
    code = ExitCode::CheckFailed;
    failure = "the check failed";
    for (const std::string& line : summary_.checked->failures) failure += "\n  " + printable(line);
  }
  if (code == ExitCode::CheckFailed && !options_.output.empty())
    failure += "\n  nothing was written";
  if (!summary_.comparisons.empty()) say_comparison();
  console_.say(summary_text(summary_, loaded_.graph.ids));
  if (options_.json)
    write_out(streams_, summary_json(summary_, loaded_.graph.ids, static_cast<int>(code)));
  flush_out(streams_);
  if (code != ExitCode::Done) streams_.err << "error: " << failure << '\n' << std::flush;
  return static_cast<int>(code);
}

}  // namespace vertigo::host
