#include "host/inputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "host/option_table.h"
#include "vertigo/core/error.h"

namespace vertigo::host {
namespace {

struct Input {
  std::string what;  // "the graph", "--sources"
  std::string path;
  FileIdentity identity;
};

std::vector<Input> inputs(const ProgramInfo& info, const CommandLine& line,
                          const graph::ReadOptions& reading) {
  std::vector<Input> found;
  const auto add = [&](const std::string& what, const std::string& path) {
    if (const auto identity = identity_of(path)) found.push_back({what, path, *identity});
  };
  for (const std::string& file : graph::source_files(*line.graph, reading)) add("the graph", file);
  for (const ParameterInfo& parameter : info.parameters) {
    const std::string option = option_name(parameter.name);
    const std::string value = line.get(option);
    if (parameter.is_list && value.starts_with('@')) add("--" + option, value.substr(1));
  }
  for (const VertexInputInfo& input : info.vertex_inputs) {
    const std::string option = option_name(input.name);
    if (line.has(option)) add("--" + option, line.get(option));
  }
  std::error_code unknown;
  add("the program that runs", std::filesystem::read_symlink("/proc/self/exe", unknown).string());
  return found;
}

[[noreturn]] void refuse(const std::string& output, const Input& input) {
  throw Error(ExitCode::Usage,
              output + " and " + input.what + " are the same file, which would be lost",
              input.path);
}

// What the shell redirected standard output to, where that is a file.
std::optional<FileIdentity> standard_output() {
  struct stat status{};
  if (::fstat(STDOUT_FILENO, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileIdentity{status.st_dev, status.st_ino};
}

}  // namespace

void refuse_spoilt_files(const ProgramInfo& info, const CommandLine& line,
                         const graph::ReadOptions& reading, const std::vector<NamedOutput>& outputs,
                         bool to_standard_output) {
  const std::vector<Input> read = inputs(info, line, reading);
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->file == nullptr) continue;
    const std::string option = "--" + std::string(output->option);
    for (const Input& input : read)
      if (output->file->replaced() == input.identity) refuse(option, input);
    for (auto other = outputs.begin(); other != output; ++other)
      if (other->file != nullptr && other->file->same_place(*output->file))
        throw Error(ExitCode::Usage,
                    "--" + std::string(other->option) + " and " + option + " name the same file",
                    output->file->path());
  }
  if (!to_standard_output) return;
  for (const Input& input : read)
    if (standard_output() == input.identity) refuse("standard output", input);
}

}  // namespace vertigo::host
