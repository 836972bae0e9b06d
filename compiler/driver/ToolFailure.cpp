#include "compiler/driver/ToolFailure.h"

#include <signal.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "compiler/driver/InputText.h"

namespace vertigo::compiler::driver {

namespace {

constexpr int kSignalled = 128;  // and the signal, as Process::wait and shells count

std::string text_of(const std::string& log) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  std::string unread;
  return read_text(log, kMost, unread).value_or("");
}

// The tool, or a program that it had started. gcc: "fatal error: Killed signal terminated program
// cc1plus"; where it links: "ld terminated with signal 9 [Killed]"; nvcc: "died due to signal 9".
bool ended_by(const ToolFailure& failure, llvm::StringRef said, int signal) {
  return failure.status == kSignalled + signal ||
         said.contains(std::string(strsignal(signal)) + " signal terminated program") ||
         said.contains("terminated with signal " + std::to_string(signal) + " [") ||
         said.contains("died due to signal " + std::to_string(signal));
}

// What the system could not give, in the words in which tools pass it on; empty where it was
// something else.
std::string lacking_room(const ToolFailure& failure, llvm::StringRef said) {
  if (ended_by(failure, said, SIGXFSZ)) return "a file reached the limit on file sizes (ulimit -f)";
  for (const int reason : {ENOSPC, EDQUOT, EFBIG})
    if (const char* words = std::strerror(reason); said.contains(words)) return words;
  return "";
}

// On a full disk the tool's own words are lost as well, and what it had written is gone by now.
bool leaves_no_room(const std::string& folder) {
  constexpr std::uint64_t kWanted = std::uint64_t{8} << 20;
  struct statvfs disk{};
  return ::statvfs(folder.c_str(), &disk) == 0 && disk.f_bavail * disk.f_frsize < kWanted;
}

bool lacks_memory(llvm::StringRef said) {
  for (const llvm::StringRef words :
       {"virtual memory exhausted", "out of memory", "Cannot allocate memory", "std::bad_alloc"})
    if (said.contains_insensitive(words)) return true;
  return false;
}

// "signal 9 (Killed)": of the tool, or of a program that it had started; empty where none was.
std::string ending(const ToolFailure& failure, llvm::StringRef said) {
  int signal = failure.status > kSignalled ? failure.status - kSignalled : 0;
  for (const int from_outside : {SIGKILL, SIGXCPU})
    if (ended_by(failure, said, from_outside)) signal = from_outside;
  if (signal == 0) return "";
  return "it was ended by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")" +
         (signal == SIGXCPU ? "" : "; memory may be short");
}

std::string line_with(const ToolFailure& failure, llvm::StringRef words) {
  const std::string said = text_of(failure.log);
  llvm::StringRef rest = said;
  while (!rest.empty()) {
    const auto [line, below] = rest.split('\n');
    if (line.contains(words)) return line.trim().str();
    rest = below;
  }
  return "";
}

}  // namespace

std::string first_error(const ToolFailure& failure) {
  const std::string line = line_with(failure, "error");
  return line.empty() ? failure.tool + " refuses it" : line;
}

std::string undefined_reference(const ToolFailure& failure) {
  return line_with(failure, "undefined reference");
}

bool report_lack(const ToolFailure& failure, const PrivateFolder& folder,
                 diag::DiagnosticEngine& diagnostics) {
  const std::string said = text_of(failure.log);
  if (const std::string why = lacking_room(failure, said); !why.empty())
    diagnostics.report(diag::NoTemporaryFiles, SourceRange{}, "'" + folder.path() + "': " + why);
  else if (lacks_memory(said))
    diagnostics.report(diag::ToolEnded, SourceRange{}, failure.tool, "there was no memory left");
  else if (const std::string end = ending(failure, said); !end.empty())
    diagnostics.report(diag::ToolEnded, SourceRange{}, failure.tool, end);
  else if (leaves_no_room(folder.path()))
    diagnostics.report(diag::NoTemporaryFiles, SourceRange{},
                       "'" + folder.path() + "': the disk is nearly full");
  else
    return false;
  return true;
}

void report_defect(const ToolFailure& failure, PrivateFolder& folder,
                   diag::DiagnosticEngine& diagnostics) {
  folder.keep();
  diagnostics.report(diag::ToolFailed, SourceRange{}, failure.tool, folder.path());
}

}  // namespace vertigo::compiler::driver
