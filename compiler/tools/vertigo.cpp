// The compiler's command line.

#include <cstring>

#include "compiler/driver/Compile.h"
#include "compiler/driver/ExitCodes.h"
#include "compiler/driver/Run.h"
#include "compiler/driver/ToolMain.h"
#include "compiler/passes/Pipeline.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

namespace {

using namespace vertigo::compiler;
namespace cl = llvm::cl;
using driver::Emit;
using driver::Schedules;
using driver::TargetChoice;

constexpr const char* kOverview =
    "compiles vertex programs to CUDA and OpenMP C++\n\n"
    "  vertigo sssp.vg -o sssp                       a program that runs on GPU and CPU\n"
    "  vertigo sssp.vg --emit=cuda                   the CUDA, to read or to keep\n"
    "  vertigo sssp.vg --explain                     every decision, its reason, its alternatives\n"
    "  vertigo --explain VG0101                      what a message means\n"
    "  vertigo run sssp.vg GRAPH [...]               compiles and runs it at once\n"
    "  vertigo run --interpret sssp.vg GRAPH [...]   by the reference interpreter\n";

// LLVM's library registers options of its own passes under the names that ours should have, so they
// are taken out before ours are made.
struct Options {
  // The reset forgets LLVM's own categories; an option without a living one is left out of --help.
  cl::OptionCategory category{"Options"};
  cl::opt<std::string> input{cl::Positional, cl::cat(category), cl::desc("<program.vg>")};
  cl::opt<std::string> output{"o", cl::cat(category),
                              cl::desc("where the result goes (- is stdout)"),
                              cl::value_desc("file")};
  cl::opt<Emit> emit{
      "emit", cl::cat(category), cl::desc("print a form of the program instead of compiling it:"),
      cl::init(Emit::Binary),
      cl::values(clEnumValN(Emit::Ast, "ast", "the checked syntax tree"),
                 clEnumValN(Emit::Ir, "ir", "Program IR, with what the passes proved of it"),
                 clEnumValN(Emit::Plan, "plan", "Plan IR: decisions, buffers, kernels"),
                 clEnumValN(Emit::Cuda, "cuda", "CUDA C++"),
                 clEnumValN(Emit::Cpu, "cpu", "C++ with OpenMP"))};
  cl::opt<TargetChoice> target{
      "target", cl::cat(category), cl::desc("what the program runs on:"),
      cl::init(TargetChoice::Auto),
      cl::values(clEnumValN(TargetChoice::Auto, "auto", "CPU, and GPU where nvcc is there"),
                 clEnumValN(TargetChoice::Cpu, "cpu", "CPU alone"),
                 clEnumValN(TargetChoice::Gpu, "gpu", "GPU alone"))};
  cl::opt<std::string> architectures{
      "arch", cl::cat(category),
      cl::desc("GPU architectures (default: the GPUs present, else sm_80,sm_90,sm_100)"),
      cl::value_desc("sm_90,...")};
  cl::opt<std::string> schedule{"schedule", cl::cat(category), cl::desc("choices to pin"),
                                cl::value_desc("key=value,...")};
  cl::opt<std::string> schedule_file{"schedule-file", cl::cat(category),
                                     cl::desc("a file with such choices"), cl::value_desc("file")};
  cl::opt<Schedules> schedules{
      "schedules", cl::cat(category), cl::desc("which of the legal schedules are compiled:"),
      cl::init(Schedules::Needed),
      cl::values(clEnumValN(Schedules::Needed, "needed", "what a run comes to by itself"),
                 clEnumValN(Schedules::All, "all",
                            "all, for --compare-schedules and pins when the program runs"))};
  cl::opt<std::string> plan{"plan", cl::cat(category), cl::desc("an edited plan to use"),
                            cl::value_desc("file")};
  cl::opt<std::string> explain{
      "explain", cl::cat(category),
      cl::desc("print every decision with its reason; with a code, what a message means"),
      cl::value_desc("VGxxxx"), cl::ValueOptional};
  cl::list<std::string> print_after{"print-after", cl::cat(category),
                                    cl::desc("dump the IR to stderr after a pass"),
                                    cl::value_desc("pass|all")};
  cl::opt<bool> time_passes{"time-passes", cl::cat(category),
                            cl::desc("print the time of each pass to stderr")};
  cl::opt<bool> list_passes{"list-passes", cl::cat(category),
                            cl::desc("print the passes in their order")};
  cl::opt<bool> verify_each{"verify-each", cl::cat(category),
                            cl::desc("verify the IR after every pass, not only after the last one"),
                            cl::init(false)};
  cl::opt<bool> locations{"locations", cl::cat(category),
                          cl::desc("print places in the source with IR and plan")};
  cl::opt<std::string> keep{"keep", cl::cat(category),
                            cl::desc("keep generated sources and objects there"),
                            cl::value_desc("folder")};
  cl::opt<bool> no_line_directives{
      "no-line-directives", cl::cat(category),
      cl::desc("emitted code without #line: better to read, unknown to profilers")};
  cl::opt<bool> check_emitted{
      "check-emitted", cl::cat(category),
      cl::desc("let Clang read emitted CUDA of any length; up to 1 MiB it is always read")};
  cl::list<std::string> debug_prefix_map{
      "debug-prefix-map", cl::cat(category),
      cl::desc("what file names begin with in #line, and so in profilers and debuggers"),
      cl::value_desc("old=new")};
  cl::opt<bool> verbose{"verbose", cl::cat(category),
                        cl::desc("print the commands that are run to stderr")};
  cl::opt<bool> debug{"debug", cl::cat(category),
                      cl::desc("a binary with symbols, in which a kernel that waits for longer "
                               "than a minute ends the run")};
};

int explain_code(llvm::StringRef word, diag::DiagnosticEngine& diagnostics) {
  if (const auto code = diag::parse_code(word))
    if (const auto page = diag::explain(*code)) {
      llvm::outs() << *page;
      return 0;
    }
  diagnostics.report(diag::UnknownCode, SourceRange{}, word);
  diagnostics.print(llvm::errs());
  return driver::exit_code(diagnostics);
}

int usage(llvm::StringRef message) {
  llvm::errs() << "vertigo: " << message << "\n";
  return 2;
}

// `--explain VG0101` leaves the code where a program would stand: a word that is no file.
bool is_code(const Options& options) {
  const llvm::StringRef word = options.input;
  return options.explain.getNumOccurrences() != 0 && !word.empty() &&
         word.find_first_of("./-") == llvm::StringRef::npos && !llvm::sys::fs::exists(word);
}

bool take_prefixes(const Options& options, driver::CompileOptions& chosen) {
  for (const std::string& text : options.debug_prefix_map) {
    const auto map = driver::parse_prefix_map(text);
    if (!map) return false;
    chosen.debug_prefixes.push_back(*map);
  }
  return true;
}

int compile(const Options& options, const driver::Prefix& prefix) {
  diag::DiagnosticEngine diagnostics;
  if (!options.explain.empty()) return explain_code(options.explain, diagnostics);
  if (is_code(options)) return explain_code(options.input, diagnostics);
  if (options.list_passes) {
    passes::list_passes(llvm::outs());
    return 0;
  }
  if (options.input.empty()) return usage("no program given; --help shows what can be asked");

  driver::CompileOptions chosen;
  chosen.input = options.input;
  chosen.output = options.output;
  chosen.emit = options.emit;
  chosen.target = options.target;
  chosen.schedule = options.schedule;
  chosen.schedule_file = options.schedule_file;
  chosen.plan_file = options.plan;
  chosen.schedules = options.schedules;
  chosen.explain = options.explain.getNumOccurrences() != 0;
  chosen.locations = options.locations;
  chosen.print_after.assign(options.print_after.begin(), options.print_after.end());
  chosen.time_passes = options.time_passes;
  chosen.verify_each = options.verify_each;
  chosen.keep = options.keep;
  chosen.verbose = options.verbose;
  chosen.debug = options.debug;
  chosen.line_directives = !options.no_line_directives;
  chosen.check_emitted = options.check_emitted;
  if (!take_prefixes(options, chosen)) return usage("--debug-prefix-map takes OLD=NEW");
  if (chosen.explain && chosen.emit != Emit::Binary)
    return usage("--explain and --emit are two things to print; give one");
  const bool text = chosen.emit != Emit::Binary || chosen.explain;
  if (text && (options.architectures.getNumOccurrences() != 0 || !chosen.keep.empty() ||
               options.target.getNumOccurrences() != 0 || chosen.debug))
    return usage("--arch, --debug, --keep and --target are for binaries, and this prints text");
  const bool code = !text || chosen.emit == Emit::Cuda || chosen.emit == Emit::Cpu;
  if (!code && (options.no_line_directives || !chosen.debug_prefixes.empty()))
    return usage("--no-line-directives and --debug-prefix-map are for code, and this prints none");
  if (chosen.check_emitted && (chosen.emit == Emit::Cpu || !code))
    return usage("--check-emitted is for CUDA, and this makes none");
  if (!text && chosen.output == "-") return usage("a binary is not written to stdout");

  if (options.architectures.getNumOccurrences() != 0)
    chosen.architectures = driver::parse_architectures(options.architectures, diagnostics);
  if (!diagnostics.has_errors()) driver::compile(chosen, prefix, diagnostics);
  diagnostics.print(llvm::errs());
  return driver::exit_code(diagnostics);
}

constexpr char kRunUsage[] = "vertigo run [--interpret] PROGRAM.vg GRAPH [options of the program]";

int run(int argc, char** argv, const driver::Prefix& prefix) {
  driver::RunOptions options;
  options.vertigo = argv[0];
  int next = 2;
  if (next < argc && std::strcmp(argv[next], "--interpret") == 0) {
    options.interpret = true;
    ++next;
  }
  if (next >= argc) return usage(std::string("no program given: ") + kRunUsage);
  if (const std::string_view word = argv[next]; word == "--help" || word == "-h") {
    llvm::outs() << "usage: " << kRunUsage
                 << "\n\nCompiles the program with the defaults and runs it; "
                 << "'vertigo run PROGRAM.vg --help' lists the program's options.\n";
    return 0;
  }
  if (argv[next][0] == '-')
    return usage(std::string("'") + argv[next] + "' is no option of 'vertigo run': " + kRunUsage);
  options.input = argv[next++];
  options.arguments.assign(argv + next, argv + argc);
  diag::DiagnosticEngine diagnostics;
  return driver::run_program(options, prefix, diagnostics);
}

}  // namespace

int main(int argc, char** argv) {
  const driver::ToolMain tool(argc, argv);
  const driver::Prefix prefix = driver::Prefix::find(argv[0]);
  return tool.run([&] {
    if (argc > 1 && std::strcmp(argv[1], "run") == 0) return run(argc, argv, prefix);
    cl::ResetCommandLineParser();
    const Options options;
    cl::SetVersionPrinter(
        [](llvm::raw_ostream& out) { out << "vertigo " << driver::version() << "\n"; });
    if (!tool.parse_options(kOverview)) return 2;
    return compile(options, prefix);
  });
}
