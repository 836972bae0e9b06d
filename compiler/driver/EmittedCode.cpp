#include "compiler/driver/EmittedCode.h"

#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Format/Format.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Tooling/Tooling.h"
#include "compiler/driver/CudaPrelude.h"
#include "compiler/driver/GuardedClang.h"
#include "compiler/emit/common/LineDirectives.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace vertigo::compiler::driver {

namespace {

const std::string kFolder = "/emitted/";
constexpr const char* kFile = "/emitted/program.cu";
constexpr const char* kPreludeFile = "/emitted/cuda-prelude.h";

std::vector<std::string> arguments(const std::string& include_folder) {
  return {"clang++", "-x", "cuda", "-std=c++20", "-fsyntax-only",
          // One pass, for the host: it sees kernels, their launches and every template that they
          // instantiate.
          "--cuda-host-only", "-nocudainc", "-nocudalib", "-Wno-unknown-cuda-version",
          "-resource-dir", VERTIGO_CLANG_RESOURCES, "-D__CUDA_ARCH_LIST__=900", "-include",
          kPreludeFile, "-I" + include_folder,
          // Only errors are of interest: warnings are for those who write code.
          "-w", "-fno-caret-diagnostics", "-ferror-limit=20", kFile};
}

// Clang's messages; "" where it has none.
std::string parse(const std::string& text, const std::string& include_folder,
                  const std::map<std::string, std::string>& headers) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(kFile, 0, llvm::MemoryBuffer::getMemBuffer(text));
  memory->addFile(kPreludeFile, 0, llvm::MemoryBuffer::getMemBuffer(kCudaPrelude));
  for (const auto& [name, declarations] : headers)
    memory->addFile(name.starts_with('/') ? name : kFolder + name, 0,
                    llvm::MemoryBuffer::getMemBuffer(declarations));
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  files->pushOverlay(memory);
  auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions{}, files);

  std::string messages;
  llvm::raw_string_ostream out(messages);
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter printer(out, options.get());
  clang::tooling::ToolInvocation invocation(
      arguments(include_folder), std::make_unique<clang::SyntaxOnlyAction>(), manager.get());
  invocation.setDiagnosticConsumer(&printer);
  const bool parsed = invocation.run();
  out.flush();
  if (parsed) return "";
  return messages.empty() ? "Clang could not start" : messages;
}

// Text whose deepest parts have names in their place: the time that clang-format takes for one line
// doubles with each pair of parentheses in others, up to seconds.
class WithoutDeepParts {
 public:
  explicit WithoutDeepParts(llvm::StringRef text) {
    while (text.contains(prefix_)) prefix_ += '_';
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      add_line(text.take_front(end));
      text = text.drop_front(end);
    }
  }

  const std::string& text() const { return text_; }

  // `formatted` with the parts back in their places; nothing where a name is not found again.
  std::optional<std::string> restored(llvm::StringRef formatted) const {
    std::string whole;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const std::string name = name_of(i);
      const std::size_t found = formatted.find(name);
      if (found == llvm::StringRef::npos) return std::nullopt;
      whole += formatted.take_front(found);
      whole += parts_[i];
      formatted = formatted.drop_front(found + name.size());
    }
    whole += formatted;
    return whole;
  }

 private:
  static constexpr std::size_t kDeepest = 10;

  std::string name_of(std::size_t part) const { return prefix_ + std::to_string(part) + "_"; }

  void add_line(llvm::StringRef line) {
    std::vector<std::size_t> open;
    std::size_t copied = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '(') open.push_back(i + 1);
      if (line[i] != ')' || open.empty()) continue;
      const std::size_t begin = open.back();
      open.pop_back();
      if (open.size() != kDeepest || begin == i) continue;
      text_ += line.slice(copied, begin);
      text_ += name_of(parts_.size());
      parts_.push_back(line.slice(begin, i).str());
      copied = i;
    }
    text_ += line.substr(copied);
  }

  std::string prefix_ = "part_";
  std::string text_;
  std::vector<std::string> parts_;
};

// Nothing where clang-format cannot.
std::optional<std::string> format(const std::string& text) {
  clang::format::FormatStyle style =
      clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  style.Standard = clang::format::FormatStyle::LS_Cpp20;
  style.ColumnLimit = 100;
  style.DerivePointerAlignment = false;
  style.PointerAlignment = clang::format::FormatStyle::PAS_Left;
  const WithoutDeepParts shallow(text);
  const std::vector<clang::tooling::Range> everything{
      clang::tooling::Range(0, static_cast<unsigned>(shallow.text().size()))};
  const auto changes = clang::format::reformat(style, shallow.text(), everything, kFile);
  auto formatted = clang::tooling::applyAllReplacements(shallow.text(), changes);
  if (formatted) return shallow.restored(*formatted);
  llvm::consumeError(formatted.takeError());
  return std::nullopt;
}

}  // namespace

std::string check_cuda(const std::string& text, const std::string& include_folder,
                       const std::map<std::string, std::string>& headers) {
  std::string messages;
  const std::string crash = run_clang([&] { messages = parse(text, include_folder, headers); });
  return crash.empty() ? messages : crash;
}

std::string format_emitted(const std::string& text, const std::string& output_name) {
  // clang-format takes time in the square of a table's length; nobody reads a file of this size.
  constexpr std::size_t kLongestFormatted = std::size_t{1} << 20;
  if (text.size() > kLongestFormatted) return emit::hold_lines(text, output_name);
  std::optional<std::string> formatted;
  run_clang([&] { formatted = format(text); });
  return emit::hold_lines(formatted.value_or(text), output_name);
}

}  // namespace vertigo::compiler::driver
