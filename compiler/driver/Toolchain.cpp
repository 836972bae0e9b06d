#include "compiler/driver/Toolchain.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "compiler/driver/Process.h"
#include "compiler/driver/ToolFailure.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace vertigo::compiler::driver {

namespace fs = std::filesystem;

namespace {

constexpr const char* kUsualArchitectures[] = {"sm_80", "sm_90", "sm_100"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string find_cxx() {
  const std::string wanted = environment("VERTIGO_CXX");
  return find_program(wanted.empty() ? "g++" : wanted);
}

std::string find_nvcc() {
  const std::string wanted = environment("VERTIGO_NVCC");
  if (!wanted.empty()) return find_program(wanted);
  const std::string home = environment("CUDA_HOME");
  if (!home.empty())
    if (std::string path = find_program(home + "/bin/nvcc"); !path.empty()) return path;
  if (std::string path = find_program("nvcc"); !path.empty()) return path;
  return find_program("/usr/local/cuda/bin/nvcc");
}

bool is_architecture(llvm::StringRef name) {
  if (!name.consume_front("sm_")) return false;
  if (!name.empty() && (name.back() == 'a' || name.back() == 'f')) name = name.drop_back();
  return name.size() >= 2 && name.size() <= 3 && llvm::all_of(name, llvm::isDigit);
}

// What a tool says of itself; empty where it cannot be asked. It runs in the folder, as all tools
// do: nvcc hands the name of where it runs to a shell. `name`: of a file there for the answer.
std::string ask(const std::string& tool, std::vector<std::string> words,
                const PrivateFolder& folder, const std::string& name) {
  const std::string file = folder / name;
  std::string error;
  const auto status =
      run({tool, std::move(words), folder.path(), {"TMPDIR=" + folder.path()}, file}, error);
  if (!status || *status != 0) return "";
  auto text = llvm::MemoryBuffer::getFile(file);
  return text ? (*text)->getBuffer().str() : "";
}

// Kernels that are packed well take a sixth of the room, and nvcc learnt that with CUDA 12.8:
// "Cuda compilation tools, release 13.0, V13.0.88".
bool packs_well(const std::string& nvcc, const PrivateFolder& folder) {
  constexpr unsigned kMajor = 12;
  constexpr unsigned kMinor = 8;
  const std::string answer = ask(nvcc, {"--version"}, folder, "nvcc.txt");
  llvm::StringRef rest = llvm::StringRef(answer).split("release ").second;
  unsigned major = 0;
  unsigned minor = 0;
  if (rest.consumeInteger(10, major) || !rest.consume_front(".") || rest.consumeInteger(10, minor))
    return false;
  return major > kMajor || (major == kMajor && minor >= kMinor);
}

// Of the GPUs that the driver sees, each once; empty without a GPU.
std::vector<std::string> present_architectures(const PrivateFolder& folder) {
  const std::string asker = find_program("nvidia-smi");
  if (asker.empty()) return {};
  const std::string answer =
      ask(asker, {"--query-gpu=compute_cap", "--format=csv,noheader"}, folder, "gpus.txt");
  std::vector<std::string> found;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(answer).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    std::string name = "sm_";
    for (const char c : line.trim())
      if (c != '.') name += c;
    if (is_architecture(name) && !llvm::is_contained(found, name)) found.push_back(name);
  }
  return found;
}

class Build {
 public:
  Build(const BinaryRequest& request, const Prefix& prefix, OutputFile& output,
        diag::DiagnosticEngine& diagnostics)
      : request_(request),
        prefix_(prefix),
        output_(output),
        diagnostics_(diagnostics),
        folder_(request.cuda_source.empty() ? FolderNames::Any : FolderNames::Plain) {}

  bool make_binary() {
    return find_tools() && make_keep_folder() && link_prefix() && compile() && embed_sources() &&
           link() && keep_files() && output_.write_executable(folder_ / "program");
  }

  bool make_header_library() {
    if (!find_tools() || !link_prefix() || !write("headers.cpp", request_.headers_cpu))
      return false;
    Tool tool = start(
        cxx_,
        {"-std=c++20", "-O2", "-fPIC", "-shared", "-Iinclude", "headers.cpp", "-o", "headers.so"},
        "headers.log");
    return finish(tool) && output_.write_executable(folder_ / "headers.so");
  }

 private:
  bool find_tools() {
    if (folder_.path().empty()) {
      diagnostics_.report(diag::NoTemporaryFiles, SourceRange{}, folder_.problem());
      return false;
    }
    cxx_ = find_cxx();
    if (cxx_.empty()) {
      const std::string wanted = environment("VERTIGO_CXX");
      diagnostics_.report(diag::ToolMissing, SourceRange{}, wanted.empty() ? "g++" : wanted,
                          wanted.empty()
                              ? "it compiles what was emitted; install it, or set VERTIGO_CXX"
                              : "VERTIGO_CXX names it as what compiles what was emitted");
      return false;
    }
    return true;
  }

  // The user's folders may have any name; what tools see are links of ours.
  bool link_prefix() {
    std::error_code failed;
    fs::create_directory_symlink(fs::absolute(prefix_.path) / "include", folder_ / "include",
                                 failed);
    if (!failed)
      fs::create_directory_symlink(fs::absolute(prefix_.path) / "lib", folder_ / "lib", failed);
    if (!failed && !request_.header_folder.empty())
      fs::create_directory_symlink(request_.header_folder, folder_ / "used", failed);
    if (failed) {
      diagnostics_.report(diag::NoTemporaryFiles, SourceRange{},
                          "'" + folder_.path() + "': " + failed.message());
      return false;
    }
    if (fs::exists(folder_ / "lib/libvertigo_rt.a", failed)) return true;
    diagnostics_.report(
        diag::ToolMissing, SourceRange{}, "libvertigo_rt.a",
        "generated programs link with it; it lies in lib beside the bin of vertigo");
    return false;
  }

  bool write(const std::string& name, const std::string& text) {
    std::error_code failed;
    llvm::raw_fd_ostream out(folder_ / name, failed);
    out << text;
    out.close();
    if (!failed) failed = out.error();
    out.clear_error();
    if (!failed) return true;
    diagnostics_.report(diag::NoTemporaryFiles, SourceRange{},
                        "'" + folder_ / name + "': " + failed.message());
    return false;
  }

  /// A tool at work; what it says is in its own log.
  struct Tool {
    std::string program;
    std::string log;
    std::optional<Process> process;
    std::string error;
  };

  Tool start(const std::string& program, std::vector<std::string> arguments, const char* log) {
    // Its messages are read where it fails, so that they are to be in one language.
    const Command command{program,
                          std::move(arguments),
                          folder_.path(),
                          {"TMPDIR=" + folder_.path(), "LC_ALL=C"},
                          folder_ / log};
    if (request_.verbose) llvm::errs() << quoted_for_display(command) << "\n";
    Tool tool{program, command.log, std::nullopt, ""};
    tool.process = Process::start(command, tool.error);
    return tool;
  }

  bool finish(Tool& tool) {
    const auto status = tool.process ? tool.process->wait(tool.error) : std::nullopt;
    if (status && *status == 0) return true;
    if (!status) {
      diagnostics_.report(diag::ToolMissing, SourceRange{}, tool.program, tool.error);
      return false;
    }
    const ToolFailure failure{fs::path(tool.program).filename().string(), tool.log, *status};
    if (!report_lack(failure, folder_, diagnostics_) &&
        !blame_header(failure, tool.program == nvcc_))
      report_defect(failure, folder_, diagnostics_);
    return false;
  }

  // A compiler that refuses a file of nothing but the headers' functions refuses the headers.
  bool blame_header(const ToolFailure& failure, bool is_nvcc) {
    if (request_.header.empty()) return false;
    std::string why = undefined_reference(failure);
    if (why.empty()) {
      const char* file = is_nvcc ? "headers.cu" : "headers.cpp";
      if (!write(file, is_nvcc ? request_.headers_cuda : request_.headers_cpu)) return true;
      std::vector<std::string> arguments = {"-std=c++20", "-Iinclude", "-c",
                                            file,         "-o",        "headers.o"};
      if (is_nvcc)
        arguments.insert(arguments.end(),
                         {"-Werror", "cross-execution-space-call", "-ccbin", cxx_name()});
      Tool alone = start(is_nvcc ? nvcc_ : cxx_, std::move(arguments), "header-alone.log");
      std::string unread;
      const auto status = alone.process ? alone.process->wait(unread) : std::nullopt;
      if (!status || *status == 0) return false;
      why = first_error({failure.tool, alone.log, *status});
    }
    diagnostics_.report(diag::HeaderRefused, SourceRange{}, request_.header, why);
    return true;
  }

  bool run_tool(const std::string& program, std::vector<std::string> arguments) {
    Tool tool = start(program, std::move(arguments), "link.log");
    return finish(tool);
  }

  /// Both compilers side by side: neither keeps all cores busy, and a user waits for the longer one
  /// alone.
  bool compile() {
    std::vector<Tool> tools;
    bool done = start_cpu(tools) && start_cuda(tools);
    for (Tool& tool : tools) {
      if (done)
        done = finish(tool);
      else if (tool.process)
        tool.process->wait(tool.error);  // one error is said, not two
    }
    return done;
  }

  bool start_cpu(std::vector<Tool>& tools) {
    if (request_.cpu_source.empty()) return true;
    if (!write("program.cpp", request_.cpu_source)) return false;
    objects_.push_back("cpu.o");
    std::vector<std::string> arguments = {"-std=c++20", "-O3", "-fopenmp", "-I" + headers()};
    if (request_.debug) {
      arguments.insert(arguments.end(), {"-g", "-fdebug-prefix-map=" + folder_.path() + "=."});
      const std::string known = mapped(headers(), request_.debug_prefixes);
      if (known != headers()) arguments.push_back("-fdebug-prefix-map=" + headers() + "=" + known);
    }
    arguments.insert(arguments.end(), {"-c", "program.cpp", "-o", "cpu.o"});
    tools.push_back(start(cxx_, std::move(arguments), "cpu.log"));
    return true;
  }

  bool start_cuda(std::vector<Tool>& tools) {
    if (request_.cuda_source.empty()) return true;
    if (!write("program.cu", request_.cuda_source)) return false;
    nvcc_ = find_nvcc();
    std::vector<std::string> architectures = request_.architectures;
    if (architectures.empty()) architectures = present_architectures(folder_);
    const bool present = !architectures.empty();
    if (!present)
      architectures.assign(std::begin(kUsualArchitectures), std::end(kUsualArchitectures));
    std::vector<std::string> arguments = {
        // The host's side only launches kernels: without an -O it is compiled in half of the time.
        // Device code is optimised in full whatever that says.
        "-std=c++20", "-lineinfo",
        // On all cores: kernels of one file, and architectures.
        "-split-compile=0", "--threads=0",
        // Sums and products round as on the CPU: minima are bit-identical on every target.
        "-fmad=false",
        // Else the host side of a device function is a body that ends the process without a word.
        "-Werror", "cross-execution-space-call",
        "-I" + (is_plain_name(headers()) ? headers() : "include"), "-ccbin", cxx_name()};
    if (request_.debug) arguments.insert(arguments.end(), {"-g", "-DVERTIGO_DEBUG"});
    if (packs_well(nvcc_, folder_)) arguments.emplace_back("--compress-mode=size");
    for (const std::string& name : architectures) {
      arguments.emplace_back("-gencode");
      arguments.push_back("arch=compute_" + name.substr(3) + ",code=" + name);
    }
    // PTX for GPUs that come later.
    const std::string last = architectures.back().substr(3);
    arguments.emplace_back("-gencode");
    arguments.push_back("arch=compute_" + last + ",code=compute_" + last);
    arguments.insert(arguments.end(), {"-c", "program.cu", "-o", "cuda.o"});
    objects_.push_back("cuda.o");
    tools.push_back(start(nvcc_, std::move(arguments), "cuda.log"));
    return true;
  }

  // Where they lie for good: profilers and debuggers show them.
  std::string headers() const { return (fs::absolute(prefix_.path) / "include").string(); }

  // nvcc hands this to a shell: a link of ours with a plain name.
  std::string cxx_name() {
    std::error_code ignored;
    fs::create_symlink(fs::absolute(cxx_), folder_ / "host-compiler", ignored);
    return "./host-compiler";
  }

  // The emitted text goes along, for --dump-cpu and --dump-cuda.
  bool embed_sources() {
    std::string text;
    const auto embed = [&](const char* symbol, const char* file) {
      text += std::string(".globl ") + symbol + "\n" + symbol + ":\n.incbin \"" + file +
              "\"\n.byte 0\n";
    };
    text += ".section .rodata\n";
    if (!request_.cpu_source.empty()) embed("vertigo_cpu_source", "program.cpp");
    if (!request_.cuda_source.empty()) embed("vertigo_cuda_source", "program.cu");
    text += ".section .note.GNU-stack,\"\",@progbits\n";
    objects_.push_back("sources.o");
    return write("sources.s", text) && run_tool(cxx_, {"-c", "sources.s", "-o", "sources.o"});
  }

  bool link() {
    std::vector<std::string> arguments = objects_;
    arguments.insert(arguments.end(), {"-Llib", "-lvertigo_rt", "-Xlinker", "--gc-sections"});
    // Names of functions are for debuggers: a tenth of the file.
    if (!request_.debug) arguments.insert(arguments.end(), {"-Xlinker", "--strip-all"});
    if (!request_.cuda_source.empty()) {
      // Both objects hold what the headers define without 'inline'.
      if (!request_.header.empty())
        arguments.insert(arguments.end(), {"-Xlinker", "--allow-multiple-definition"});
      arguments.insert(arguments.end(), {"-cudart", "static", "-ccbin", cxx_name(), "-Xcompiler",
                                         "-static-libstdc++,-static-libgcc"});
      arguments.insert(arguments.end(), {"-o", "program"});
      return run_tool(nvcc_, std::move(arguments));
    }
    arguments.insert(arguments.end(),
                     {"-static-libstdc++", "-static-libgcc", "-lpthread", "-ldl", "-o", "program"});
    return run_tool(cxx_, std::move(arguments));
  }

  bool keep_fails(const std::string& why) {
    diagnostics_.report(diag::CannotWrite, SourceRange{}, request_.keep, why);
    return false;
  }

  // Before anything is compiled, so that nobody waits for files that cannot be kept.
  bool make_keep_folder() {
    if (request_.keep.empty()) return true;
    std::error_code failed;
    fs::create_directories(request_.keep, failed);
    if (failed) return keep_fails(failed.message());
    if (!fs::is_directory(request_.keep, failed)) return keep_fails("it is no folder");
    return access(request_.keep.c_str(), W_OK | X_OK) == 0 || keep_fails(std::strerror(errno));
  }

  bool keep_files() {
    if (request_.keep.empty()) return true;
    std::error_code failed;
    for (const char* name :
         {"program.cpp", "program.cu", "cpu.o", "cuda.o", "cpu.log", "cuda.log", "link.log"}) {
      std::error_code absent;
      if (fs::exists(folder_ / name, absent))
        fs::copy_file(folder_ / name, fs::path(request_.keep) / name,
                      fs::copy_options::overwrite_existing, failed);
      if (failed) return keep_fails(failed.message());
    }
    const fs::path used = fs::path(request_.keep) / "used";
    std::error_code absent;
    if (!request_.header.empty() && !fs::is_symlink(used, absent))
      fs::create_directory_symlink(request_.header_folder, used, failed);
    if (failed) return keep_fails(failed.message());
    return true;
  }

  const BinaryRequest& request_;
  const Prefix& prefix_;
  OutputFile& output_;
  diag::DiagnosticEngine& diagnostics_;
  PrivateFolder folder_;
  std::string cxx_;
  std::string nvcc_;
  std::vector<std::string> objects_;
};

}  // namespace

Prefix Prefix::find(const char* argv0) {
  static int anchor = 0;
  const std::string executable = llvm::sys::fs::getMainExecutable(argv0, &anchor);
  return {fs::path(executable).parent_path().parent_path().string()};
}

bool can_compile_cuda(const Prefix& prefix, std::string& why) {
#ifndef VERTIGO_HAS_GPU_RUNTIME
  (void)prefix;
  why = "this vertigo was built without nvcc, so its runtime has no GPU part";
  return false;
#else
  (void)prefix;
  const std::string nvcc = find_nvcc();
  if (nvcc.empty()) {
    why = "nvcc was not found; install the CUDA Toolkit, or set CUDA_HOME";
    return false;
  }
  if (is_plain_name(nvcc)) return true;
  why = "nvcc hands its own path to a shell, which would take '" + nvcc + "' apart";
  return false;
#endif
}

std::vector<std::string> parse_architectures(const std::string& text,
                                             diag::DiagnosticEngine& diagnostics) {
  std::vector<std::string> names;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::StringRef(text).split(words, ',', -1, /*KeepEmpty=*/!text.empty());
  for (const llvm::StringRef word : words) {
    const std::string name = word.starts_with("sm_") ? word.str() : "sm_" + word.str();
    if (is_architecture(name))
      names.push_back(name);
    else
      diagnostics.report(diag::UnknownArchitecture, SourceRange{}, word);
  }
  return names;
}

bool compile_binary(const BinaryRequest& request, const Prefix& prefix, OutputFile& output,
                    diag::DiagnosticEngine& diagnostics) {
  return Build(request, prefix, output, diagnostics).make_binary();
}

bool compile_header_library(const BinaryRequest& request, const Prefix& prefix, OutputFile& output,
                            diag::DiagnosticEngine& diagnostics) {
  return Build(request, prefix, output, diagnostics).make_header_library();
}

}  // namespace vertigo::compiler::driver
