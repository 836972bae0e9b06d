#include "compiler/driver/Compile.h"

#include "compiler/ast/Print.h"
#include "compiler/driver/EditedPlan.h"
#include "compiler/driver/EmittedCode.h"
#include "compiler/driver/Frontend.h"
#include "compiler/driver/OutputFile.h"
#include "compiler/driver/Process.h"
#include "compiler/driver/ScheduleExpr.h"
#include "compiler/driver/UsedHeaders.h"
#include "compiler/emit/common/HeaderFunctions.h"
#include "compiler/emit/common/Names.h"
#include "compiler/emit/cpu/EmitCpu.h"
#include "compiler/emit/cuda/EmitCuda.h"
#include "compiler/ir/plan/PlanPrinter.h"
#include "compiler/ir/program/Printer.h"
#include "compiler/passes/Explain.h"
#include "compiler/passes/Pipeline.h"
#include "llvm/Support/BuryPointer.h"

namespace vertigo::compiler::driver {

namespace {

// In the folder where a binary is made: a link to the program's own.
const std::string kHeaderFolder = "used/";

// What Clang says of a header of ours that it cannot read: no defect of the emitted code.
std::string unreadable_header(llvm::StringRef messages) {
  llvm::SmallVector<llvm::StringRef> lines;
  messages.split(lines, '\n');
  for (const llvm::StringRef line : lines) {
    const auto [place, said] = line.split("fatal error: ");
    if (said.starts_with("cannot open file") || said.ends_with("file not found")) return said.str();
  }
  return "";
}

class Compilation {
 public:
  Compilation(const CompileOptions& options, const Prefix& prefix,
              diag::DiagnosticEngine& diagnostics)
      : options_(options), prefix_(prefix), diagnostics_(diagnostics), headers_(options.input) {}

  bool run() {
    const auto file = read_source(options_.input, SourceKind::Program, diagnostics_);
    if (!file) return false;
    source_ = *file;
    if (!open_known_output()) return false;
    if (options_.emit == Emit::Ast && !options_.explain) return emit_ast();
    auto program = front_end(source_, diagnostics_, header_reader());
    if (!program || !read_schedule(*program)) return false;
    program_name_ = program->name;
    if (!output_ && !open_output(program->name)) return false;

    passes::PassContext context{diagnostics_, schedule_};
    passes::RunnerOptions chores;
    chores.verify_each = options_.verify_each;
    chores.print_after = options_.print_after;
    chores.locations = options_.locations;
    passes::PassRunner runner(context, chores);
    const bool done = run_passes(std::move(*program), runner);
    if (options_.time_passes) runner.print_times(llvm::errs());
    return done;
  }

 private:
  HeaderReader header_reader() {
    return [this](ast::Program& program, diag::DiagnosticEngine& diagnostics) {
      return headers_.read(program, diagnostics);
    };
  }

  bool is_text() const { return options_.emit != Emit::Binary || options_.explain; }

  // A binary without a stated name is called as the program, which is not known yet.
  bool open_known_output() {
    if (options_.output.empty() && !is_text()) return true;
    return open_output(options_.output.empty() ? "-" : options_.output);
  }

  bool open_output(const std::string& path) {
    output_path_ = path;
    output_ = OutputFile::open(path, {options_.input, options_.schedule_file, options_.plan_file},
                               diagnostics_);
    return output_ != nullptr;
  }

  bool emit_ast() {
    const auto tree = analyse(source_, diagnostics_, header_reader());
    if (!tree || diagnostics_.has_errors()) return false;
    std::string text;
    llvm::raw_string_ostream out(text);
    ast::print(*tree, out);
    return write_text(text);
  }

  bool write_text(const std::string& text) { return output_->write(text); }

  bool read_schedule(const ir::Program& program) {
    const passes::ExpressionReader read_expression = importance_reader(program, diagnostics_);
    if (options_.schedules == Schedules::All) schedule_.pin("", "schedules", "all");
    if (!options_.schedule_file.empty()) {
      const auto file = read_source(options_.schedule_file, SourceKind::Schedule, diagnostics_);
      if (!file) return false;
      schedule_.add(passes::Schedule::read(*file, program, diagnostics_, read_expression));
    }
    if (!options_.schedule.empty()) {
      const auto file = diagnostics_.add_source("--schedule", options_.schedule);
      schedule_.add(passes::Schedule::read(file, program, diagnostics_, read_expression));
    }
    return !diagnostics_.has_errors();
  }

  bool run_passes(ir::Program program, passes::PassRunner& runner) {
    const ir::PrintOptions print{options_.locations};
    if (options_.emit == Emit::Ir && !options_.explain)
      return passes::analyse_program(program, runner) && write_text(ir::print(program, print)) &&
             make_header_library(program);
    // The process ends soon: taking thousands of phases apart before would be a tenth of its time.
    auto owned = std::make_unique<plan::Plan>();
    plan::Plan& plan = *owned;
    llvm::BuryPointer(std::move(owned));
    bool made = false;
    if (options_.plan_file.empty())
      made = passes::make_plan(std::move(program), runner, plan);
    else
      made = take_edited_plan(options_.plan_file, std::move(program), runner, plan);
    if (options_.explain) return explain(plan) && made;
    if (!made) return false;
    if (options_.emit == Emit::Plan) return write_text(plan::print(plan, print));
    return emit_code(plan);
  }

  bool make_header_library(const ir::Program& program) {
    if (options_.header_library.empty() || !emit::uses_headers(program)) return true;
    const auto output = OutputFile::open(options_.header_library, {}, diagnostics_);
    if (!output) return false;
    BinaryRequest request;
    take_headers(program, request);
    request.verbose = options_.verbose;
    return compile_header_library(request, prefix_, *output, diagnostics_);
  }

  void take_headers(const ir::Program& program, BinaryRequest& request) const {
    if (!emit::uses_headers(program)) return;
    request.header_folder = headers_.folder();
    const emit::EmitOptions options = emit_options("", "headers", kHeaderFolder);
    request.headers_cpu = emit::emit_header_library(program, options, "cpu");
    request.headers_cuda = emit::emit_header_library(program, options, "gpu");
    for (const ir::Function& function : program.functions)
      if (!function.body) request.header = function.header;
  }

  // Decisions are worth reading even where the plan cannot be built.
  bool explain(const plan::Plan& plan) {
    std::string text;
    llvm::raw_string_ostream out(text);
    passes::explain(plan, out);
    return write_text(text);
  }

  // The options that shape the output, in one spelling, so that the same input gives the same
  // bytes.
  std::string stated_options() const {
    std::string text;
    const auto add = [&](const std::string& option) { text += (text.empty() ? "" : " ") + option; };
    if (options_.schedules == Schedules::All) add("--schedules=all");
    if (!options_.schedule_file.empty()) add("--schedule-file=" + options_.schedule_file);
    if (!options_.schedule.empty()) add("--schedule=" + options_.schedule);
    if (!options_.plan_file.empty()) add("--plan=" + options_.plan_file);
    return text;
  }

  // Text that somebody else compiles names its files so that the same program gives the same bytes
  // everywhere: the program's as it was named to us, its own after the program.
  emit::EmitOptions text_options(const std::string& suffix) const {
    return emit_options(options_.input, program_name_ + suffix, "");
  }

  // A binary is made in a folder that is soon gone, and studied from any other.
  emit::EmitOptions binary_options(const std::string& suffix) const {
    const std::string output =
        options_.keep.empty() ? output_path_ + suffix : options_.keep + "/program" + suffix;
    emit::EmitOptions options =
        emit_options(absolute_name(options_.input), absolute_name(output), kHeaderFolder);
    options.says_output_name = options_.line_directives;
    return options;
  }

  // `header_folder`: where the emitted file finds headers; "": as the program names them.
  emit::EmitOptions emit_options(const std::string& source_name, const std::string& output_name,
                                 const std::string& header_folder) const {
    emit::EmitOptions options;
    options.header_folder = header_folder;
    options.output_name = mapped(output_name, options_.debug_prefixes);
    if (options_.line_directives)
      options.source_name = mapped(source_name, options_.debug_prefixes);
    // Two files need two names: a program may be called as what is made of it.
    if (options.source_name == options.output_name) options.output_name += ".emitted";
    options.header_macros = headers_.macros();
    options.version = version();
    options.options = stated_options();
    options.source_text = diagnostics_.source(source_).str();
    return options;
  }

  static std::string cpu_text(const plan::Plan& plan, const emit::EmitOptions& options) {
    return format_emitted(emit::emit_cpu(plan, options), options.output_name);
  }

  // What emitted code needs to know of headers, whatever else is in them.
  static std::map<std::string, std::string> declarations(const ir::Program& program,
                                                         const std::string& header_folder) {
    std::map<std::string, std::string> texts;
    for (const ir::Function& function : program.functions) {
      if (function.body) continue;
      const bool is_absolute = function.header.starts_with('/');
      std::string& text = texts[(is_absolute ? "" : header_folder) + function.header];
      text += "__host__ __device__ " + emit::cpp_type(function.result) + " " + function.name + "(";
      for (std::size_t i = 0; i < function.parameters.size(); ++i)
        text += (i > 0 ? ", " : "") + emit::cpp_type(function.parameters[i].type);
      text += ");\n";
    }
    return texts;
  }

  // Who compiles the text finds what Clang would have found; in a binary, that is nvcc.
  bool is_too_long_to_check(const std::string& text) const {
    constexpr std::size_t kLongestChecked = std::size_t{1} << 20;
    if (text.size() <= kLongestChecked || options_.check_emitted) return false;
    if (options_.emit == Emit::Cuda)
      llvm::errs() << "vertigo: note: the emitted CUDA is longer than 1 MiB, so Clang did not read "
                      "it; --check-emitted lets it\n";
    return true;
  }

  // Clang reads it before anybody else does: what it refuses never reaches nvcc or the user.
  std::string cuda_text(const plan::Plan& plan, const emit::EmitOptions& options) {
    if (!headers_.check_for_gpu(plan.program, diagnostics_)) return "";
    const std::string text = format_emitted(emit::emit_cuda(plan, options), options.output_name);
    if (is_too_long_to_check(text)) return text;
    const std::string headers = prefix_.path + "/include";
    const auto check = [&] {
      return check_cuda(text, headers, declarations(plan.program, options.header_folder));
    };
    std::string messages = check();
    // Where memory or a descriptor was short, Clang says of a header that it is not there. What is
    // wrong with the text is wrong a second time.
    if (!messages.empty()) messages = check();
    if (messages.empty()) return text;
    if (const std::string why = unreadable_header(messages); !why.empty()) {
      diagnostics_.report(diag::CannotRead, SourceRange{}, headers, why);
      return "";
    }
    PrivateFolder folder;
    if (folder.path().empty()) {
      diagnostics_.report(diag::NoTemporaryFiles, SourceRange{}, folder.problem());
      return "";
    }
    folder.keep();
    write_output(folder / "program.cu", text, diagnostics_);
    write_output(folder / "messages.txt", messages, diagnostics_);
    diagnostics_.report(diag::ToolFailed, SourceRange{}, "Clang", folder.path());
    return "";
  }

  bool emit_code(const plan::Plan& plan) {
    if (options_.emit == Emit::Cuda) {
      const std::string text = cuda_text(plan, text_options(".cu"));
      return !text.empty() && write_text(text);
    }
    if (options_.emit == Emit::Cpu) return write_text(cpu_text(plan, text_options(".cpp")));

    BinaryRequest request;
    std::string why;
    bool gpu = options_.target != TargetChoice::Cpu;
    if (gpu && !can_compile_cuda(prefix_, why)) {
      if (options_.target == TargetChoice::Gpu) {
        diagnostics_.report(diag::ToolMissing, SourceRange{}, "--target=gpu", why);
        return false;
      }
      if (options_.verbose) llvm::errs() << "vertigo: for CPUs only: " << why << "\n";
      gpu = false;
    }
    if (gpu) request.cuda_source = cuda_text(plan, binary_options(".cu"));
    if (gpu && request.cuda_source.empty()) return false;
    if (options_.target != TargetChoice::Gpu)
      request.cpu_source = cpu_text(plan, binary_options(".cpp"));
    take_headers(plan.program, request);
    request.architectures = options_.architectures;
    request.keep = options_.keep;
    request.verbose = options_.verbose;
    request.debug = options_.debug;
    request.debug_prefixes = options_.debug_prefixes;
    return compile_binary(request, prefix_, *output_, diagnostics_);
  }

  const CompileOptions& options_;
  const Prefix& prefix_;
  diag::DiagnosticEngine& diagnostics_;
  UsedHeaders headers_;
  std::uint32_t source_ = 0;
  passes::Schedule schedule_;
  std::string program_name_;
  std::string output_path_;
  std::unique_ptr<OutputFile> output_;
};

}  // namespace

bool compile(const CompileOptions& options, const Prefix& prefix,
             diag::DiagnosticEngine& diagnostics) {
  return Compilation(options, prefix, diagnostics).run() && !diagnostics.has_errors();
}

const char* version() { return VERTIGO_VERSION; }

}  // namespace vertigo::compiler::driver
