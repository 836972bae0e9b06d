#include "compiler/driver/UsedHeaders.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <map>

namespace vertigo::compiler::driver {

namespace {

// Clang would read a device for ever.
std::string unsuitable(const std::string& path) {
  struct stat known{};
  if (stat(path.c_str(), &known) != 0) return std::strerror(errno);
  return S_ISREG(known.st_mode) ? "" : "it is no file";
}

bool fits(const ast::Type& wanted, const std::optional<ScalarKind>& defined) {
  return defined && wanted.is(*defined);
}

// True where the program's word for the function is the header's.
bool fits(const ast::Function& wanted, const DefinedFunction& defined) {
  if (wanted.parameters.size() != defined.parameters.size()) return false;
  for (std::size_t i = 0; i < defined.parameters.size(); ++i) {
    const ast::TypeSyntax& syntax = wanted.parameters[i]->written_type;
    const auto kind = ast::parse_scalar(syntax.scalar.text);
    if (!kind || !fits(*kind, defined.parameters[i])) return false;
  }
  const auto result = ast::parse_scalar(wanted.written_type.scalar.text);
  return result && fits(*result, defined.result);
}

std::optional<check::ExternFunction> offered(const DefinedFunction& defined,
                                             const std::string& header) {
  check::ExternFunction made{defined.name, header, {}, {}};
  if (!defined.result) return std::nullopt;
  made.result = *defined.result;
  for (const auto& parameter : defined.parameters) {
    if (!parameter) return std::nullopt;
    made.parameters.emplace_back(*parameter);
  }
  return made;
}

}  // namespace

UsedHeaders::UsedHeaders(const std::string& program_path) {
  std::error_code failed;
  const std::filesystem::path folder = program_path == "-"
                                           ? std::filesystem::path()
                                           : std::filesystem::path(program_path).parent_path();
  folder_ = std::filesystem::absolute(folder.empty() ? "." : folder, failed).string();
}

std::string UsedHeaders::path_of(const std::string& name) const {
  return (std::filesystem::path(folder_) / name).lexically_normal().string();
}

bool UsedHeaders::read_one(const ast::Use& use, diag::DiagnosticEngine& diagnostics) {
  const std::string path = path_of(use.header);
  if (const std::string why = unsuitable(path); !why.empty()) {
    diagnostics.report(diag::CannotRead, use.range, use.header, why);
    return false;
  }
  Header header = read_header(path);
  if (!header.error.empty()) {
    diagnostics.report(diag::HeaderRefused, use.range, use.header, header.error);
    return false;
  }
  used_.push_back({use.header, use.range, std::move(header)});
  return true;
}

// The header that defines the function as it is declared; where there is none, what is wrong.
void UsedHeaders::match(ast::Function& function, diag::DiagnosticEngine& diagnostics) const {
  const Used* other = nullptr;
  std::string spelled;
  for (const Used& used : used_)
    for (const DefinedFunction& defined : used.header.functions) {
      if (defined.name != function.name.text) continue;
      if (fits(function, defined)) {
        function.header = used.name;
        return;
      }
      other = &used;
      spelled += (spelled.empty() ? "" : ", ") + defined.spelled;
    }
  if (other != nullptr)
    diagnostics
        .report(diag::HeaderFunctionDiffers, function.name.range, function.name.text, other->name)
        .note(other->range, "it defines " + spelled);
  else
    diagnostics.report(diag::HeaderFunctionMissing, function.name.range, used_.back().name,
                       function.name.text);
}

std::vector<check::ExternFunction> UsedHeaders::read(ast::Program& program,
                                                     diag::DiagnosticEngine& diagnostics) {
  used_.clear();
  for (const ast::Use& use : program.uses)
    if (!read_one(use, diagnostics)) return {};
  if (used_.empty()) return {};
  // Types that no header can have are for check to refuse.
  const auto is_plain = [](const ast::TypeSyntax& syntax) {
    const auto kind = ast::parse_scalar(syntax.scalar.text);
    return syntax.elements.empty() && !syntax.is_list && kind && *kind != ScalarKind::Vertex &&
           *kind != ScalarKind::Wide64;
  };
  for (const auto& function : program.functions) {
    if (function->body) continue;
    bool plain = is_plain(function->written_type);
    for (const auto& parameter : function->parameters)
      plain = plain && is_plain(parameter->written_type);
    if (plain) match(*function, diagnostics);
  }
  // Overloads have to be declared: which one is meant is said nowhere else.
  std::map<std::string, unsigned> times;
  for (const Used& used : used_)
    for (const DefinedFunction& defined : used.header.functions) ++times[defined.name];
  std::vector<check::ExternFunction> all;
  for (const Used& used : used_)
    for (const DefinedFunction& defined : used.header.functions)
      if (auto made = offered(defined, used.name); made && times[defined.name] == 1)
        all.push_back(std::move(*made));
  return all;
}

std::vector<std::string> UsedHeaders::macros() const {
  std::vector<std::string> all;
  for (const Used& used : used_)
    all.insert(all.end(), used.header.macros.begin(), used.header.macros.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool UsedHeaders::check_for_gpu(const ir::Program& program,
                                diag::DiagnosticEngine& diagnostics) const {
  bool good = true;
  for (const ir::Function& function : program.functions) {
    if (function.body) continue;
    for (const Used& used : used_) {
      const auto& names = used.header.for_host;
      if (used.name != function.header ||
          std::find(names.begin(), names.end(), function.name) == names.end())
        continue;
      diagnostics.report(diag::HeaderFunctionForHost, used.range, function.name, used.name)
          .note("put '__host__ __device__' before it, or compile with --target=cpu");
      good = false;
    }
  }
  return good;
}

}  // namespace vertigo::compiler::driver
