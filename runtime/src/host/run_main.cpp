#include "vertigo/host/run_main.h"

#include <string>

#include "host/command_line.h"
#include "host/failure_report.h"
#include "host/invocation.h"
#include "host/option_table.h"
#include "host/program_choice.h"
#include "host/schedule.h"
#include "host/summary.h"
#include "host/text.h"
#include "vertigo/core/error.h"

namespace vertigo::host {
namespace {

std::string source_of(const Target* target, const char* what) {
  if (target == nullptr)
    throw Error(ExitCode::Usage, std::string("this binary has no ") + what + " code to print");
  return std::string(target->emitted_source);
}

// Options that print something about the binary and need no graph.
bool inform(const CommandLine& line, const Streams& streams, const Targets& targets) {
  const ProgramInfo& info = targets.info();
  for (const char* prose : {"help", "version", "explain", "dump-cuda", "dump-cpu"})
    if (line.has(prose) && line.has("json"))
      throw Error(ExitCode::Usage, std::string("--") + prose + " has no machine-readable form");
  std::string text;
  if (line.has("help")) {
    text = help_text(info, line.binary);
  } else if (line.has("version")) {
    text = version_text(targets);
  } else if (line.has("list-schedules")) {
    text = line.has("json") ? schedules_json(info) : list_schedules(info);
  } else if (line.has("explain")) {
    text = info.plan;
  } else if (line.has("dump-cuda")) {
    text = source_of(targets.gpu, "CUDA");
  } else if (line.has("dump-cpu")) {
    text = source_of(targets.cpu, "CPU");
  } else {
    return false;
  }
  write_out(streams, text);
  if (!text.ends_with('\n')) write_out(streams, "\n");
  flush_out(streams);
  return true;
}

}  // namespace

int run_main(int argc, const char* const* argv, const Streams& streams, const Targets& program) {
  return run_main(argc, argv, streams, std::span(&program, 1));
}

int run_main(int argc, const char* const* argv, const Streams& streams,
             std::span<const Targets> programs) {
  FailureReport report(streams, argc > 0 ? argv[0] : "");
  try {
    const Targets* const program = choose_program(programs, argc, argv);
    if (program == nullptr) {
      const std::string text = text_about(programs, argc, argv);
      if (text.empty())
        throw Error(ExitCode::Usage,
                    "which program of this binary? --program " + alternatives(names_of(programs)));
      write_out(streams, text);
      flush_out(streams);
      return static_cast<int>(ExitCode::Done);
    }
    const CommandLine line = parse_command_line(program->info(), argc, argv);
    if (line.has("json")) report.promise_json(program->info().name);
    if (inform(line, streams, *program)) return static_cast<int>(ExitCode::Done);
    const Options options = read_options(line);
    return Invocation(line, options, streams, *program).run();
  } catch (...) {
    return report.tell();
  }
}

}  // namespace vertigo::host
