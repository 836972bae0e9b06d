#include "compiler/diag/DiagnosticEngine.h"

#include <algorithm>
#include <new>

#include "llvm/Support/MemoryBuffer.h"

namespace vertigo::compiler::diag {

Report& Report::note(SourceRange where, std::string text) {
  notes.push_back({where, std::move(text)});
  return *this;
}

Report& Report::note(std::string text) { return note(SourceRange{}, std::move(text)); }

Report& Report::fix(SourceRange where, std::string replacement) {
  fixes.push_back({where, std::move(replacement)});
  return *this;
}

std::uint32_t DiagnosticEngine::add_source(std::string name, llvm::StringRef text) {
  // SourceMgr finds columns by walking back to the line's begin, which is slow on a file of one
  // line.
  std::vector<std::uint32_t>& lines = line_begins_.emplace_back(1, 0);
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n') lines.push_back(static_cast<std::uint32_t>(i + 1));
  std::unique_ptr<llvm::MemoryBuffer> copy = llvm::MemoryBuffer::getMemBufferCopy(text, name);
  if (copy == nullptr) throw std::bad_alloc();  // LLVM leaves it at that
  return sources_.AddNewSourceBuffer(std::move(copy), llvm::SMLoc());
}

llvm::StringRef DiagnosticEngine::source(std::uint32_t file) const {
  return sources_.getMemoryBuffer(file)->getBuffer();
}

llvm::StringRef DiagnosticEngine::source_name(std::uint32_t file) const {
  return sources_.getMemoryBuffer(file)->getBufferIdentifier();
}

llvm::StringRef DiagnosticEngine::text(SourceRange range) const {
  return range.valid() ? source(range.file).slice(range.begin, range.end) : llvm::StringRef();
}

std::pair<unsigned, unsigned> DiagnosticEngine::line_and_column(SourceRange range) const {
  if (!range.valid()) return {0, 0};
  const std::vector<std::uint32_t>& lines = line_begins_[range.file - 1];
  auto line = std::upper_bound(lines.begin(), lines.end(), range.begin);
  return {static_cast<unsigned>(line - lines.begin()), range.begin - *std::prev(line) + 1};
}

namespace {

// The text with its arguments in the places of {0}, {1}, ...
std::string filled(llvm::StringRef text, llvm::ArrayRef<std::string> arguments) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 2 < text.size() && text[i + 2] == '}') {
      made += arguments[static_cast<std::size_t>(text[i + 1] - '0')];
      i += 2;
    } else {
      made += text[i];
    }
  }
  return made;
}

}  // namespace

Report& DiagnosticEngine::add(unsigned code, Severity severity, llvm::StringRef text,
                              SourceRange range, std::vector<std::string> arguments) {
  bool stop = code != TooManyErrors.code && errors_ >= kErrorLimit;
  if (stop && severity == Severity::Error && ++errors_ == kErrorLimit + 1)
    this->report(TooManyErrors, SourceRange{}, kErrorLimit);
  if (severity == Severity::Warning && ++warnings_ > kWarningLimit) stop = true;
  if (stop) return dropped_ = Report{};
  Report report;
  report.code = code;
  report.severity = severity;
  report.range = range;
  report.text = filled(text, arguments);
  if (severity == Severity::Error) ++errors_;
  reports_.push_back(std::move(report));
  return reports_.back();
}

void DiagnosticEngine::withdraw(unsigned code, llvm::StringRef text,
                                std::vector<std::string> arguments) {
  const std::string said = filled(text, arguments);
  const auto first = reports_.begin() + static_cast<std::ptrdiff_t>(printed_);
  const auto kept = std::remove_if(first, reports_.end(), [&](const Report& report) {
    return report.code == code && report.text == said;
  });
  warnings_ -= static_cast<unsigned>(reports_.end() - kept);
  reports_.erase(kept, reports_.end());
}

llvm::SMRange DiagnosticEngine::place(SourceRange range) const {
  if (!range.valid()) return {};
  llvm::StringRef buffer = source(range.file);
  const char* begin = buffer.data() + std::min<std::size_t>(range.begin, buffer.size());
  const char* end = buffer.data() + std::min<std::size_t>(range.end, buffer.size());
  return {llvm::SMLoc::getFromPointer(begin), llvm::SMLoc::getFromPointer(std::max(begin, end))};
}

void DiagnosticEngine::print_at(SourceRange where, llvm::SourceMgr::DiagKind kind,
                                llvm::StringRef text, llvm::ArrayRef<llvm::SMFixIt> fixes,
                                llvm::raw_ostream& out, bool colours) const {
  // A line that nobody can read is no help: no person wrote it.
  constexpr std::size_t kLongestLine = 400;
  llvm::SMRange range = place(where);
  llvm::StringRef buffer = source(where.file);
  std::size_t begin = range.Start.getPointer() - buffer.data();
  std::size_t line_begin = buffer.take_front(begin).find_last_of("\r\n") + 1;
  std::size_t line_end = std::min(buffer.find_first_of("\r\n", begin), buffer.size());
  if (line_end - line_begin > kLongestLine) {
    auto [line, column] = line_and_column(where);
    std::string at =
        source_name(where.file).str() + ":" + std::to_string(line) + ":" + std::to_string(column);
    llvm::SMDiagnostic(at, kind, text).print(nullptr, out, colours);
    return;
  }
  llvm::SMDiagnostic message = sources_.GetMessage(range.Start, kind, text, range, fixes);
  std::string line = message.getLineContents().str();
  // Control characters would reach the terminal; columns stay, because one byte replaces one.
  for (char& c : line)
    if (static_cast<unsigned char>(c) < 0x20 && c != '\t') c = '?';
  llvm::SMDiagnostic(sources_, range.Start, message.getFilename(), message.getLineNo(),
                     message.getColumnNo(), kind, text, line, message.getRanges(), fixes)
      .print(nullptr, out, colours);
}

void DiagnosticEngine::print_one(const Report& report, llvm::raw_ostream& out, bool colours) const {
  using Kind = llvm::SourceMgr::DiagKind;
  Kind kind = report.severity == Severity::Error     ? llvm::SourceMgr::DK_Error
              : report.severity == Severity::Warning ? llvm::SourceMgr::DK_Warning
                                                     : llvm::SourceMgr::DK_Note;
  std::string text = report.text + " [" + code_name(report.code) + "]";
  if (!report.range.valid()) {
    llvm::SMDiagnostic("vertigo", kind, text).print(nullptr, out, colours);
  } else {
    llvm::SmallVector<llvm::SMFixIt, 2> fixes;
    for (const Fix& fix : report.fixes) fixes.emplace_back(place(fix.range), fix.replacement);
    print_at(report.range, kind, text, fixes, out, colours);
  }
  for (const Note& note : report.notes) {
    if (note.range.valid()) {
      print_at(note.range, llvm::SourceMgr::DK_Note, note.text, {}, out, colours);
    } else {
      llvm::SMDiagnostic(report.range.valid() ? source_name(report.range.file) : "vertigo",
                         llvm::SourceMgr::DK_Note, note.text)
          .print(nullptr, out, colours);
    }
  }
}

void DiagnosticEngine::print(llvm::raw_ostream& out, bool colours) {
  for (; printed_ < reports_.size(); ++printed_) print_one(reports_[printed_], out, colours);
}

SourceRange DiagnosticEngine::range_at(unsigned line, unsigned column) const {
  if (line == 0 || sources_.getNumBuffers() == 0) return {};
  constexpr std::uint32_t kFirst = 1;  // SourceMgr counts from 1
  const llvm::StringRef text = source(kFirst);
  std::size_t begin = 0;
  for (unsigned i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin == llvm::StringRef::npos) return {};
    ++begin;
  }
  begin = std::min(begin + (column == 0 ? 0 : column - 1), text.size());
  const std::size_t end = std::min(begin + 1, text.size());
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), kFirst};
}

}  // namespace vertigo::compiler::diag
