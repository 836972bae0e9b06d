#include "host/failure_report.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <initializer_list>
#include <new>
#include <ostream>
#include <string>

#include "host/summary.h"
#include "host/text.h"
#include "vertigo/core/process.h"

namespace vertigo::host {
namespace {

// For last words in JSON: the program's name, which is an identifier of a generated file.
std::atomic<const char*> json_program{nullptr};

// In pieces, because there may be no memory to put them together.
void write_pieces(int to, std::initializer_list<std::string_view> pieces) noexcept {
  for (const std::string_view piece : pieces) (void)!::write(to, piece.data(), piece.size());
}

void say_last_words(ExitCode code, const char* message) noexcept {
  write_pieces(STDERR_FILENO, {"error: ", message, "\n"});
  const char* const program = json_program;
  if (program == nullptr) return;
  const char digit = static_cast<char>('0' + static_cast<int>(code));
  write_pieces(STDOUT_FILENO, {R"({"program": ")",
                               program,
                               R"(", "exit_code": )",
                               {&digit, 1},
                               R"(, "error": {"message": ")",
                               message,
                               "\"}}\n"});
}

[[noreturn]] void refuse_out() {
  throw system_failure(ExitCode::OutputFailed, "cannot write to standard output", errno, "");
}

}  // namespace

FailureReport::FailureReport(const Streams& streams, const char* binary)
    : streams_(streams), binary_(binary) {
  set_last_words(say_last_words);
}

FailureReport::~FailureReport() { json_program = nullptr; }

void FailureReport::promise_json(std::string_view program) {
  json_ = true;
  program_ = program;
  json_program = program.data();
}

int FailureReport::tell() const noexcept {
  try {
    return tell(current_failure());
  } catch (const std::exception&) {
    return tell_out_of_memory();
  }
}

// All text is made before any of it is written, so that lack of memory is not said on top of it.
int FailureReport::tell(const Failure& failure) const {
  const int code = static_cast<int>(failure.code);
  const std::string where = failure.place.empty() ? "" : printable(failure.place) + ": ";
  std::string text = "error: " + where + printable(failure.message) + '\n';
  if (failure.code == ExitCode::Usage)
    text += "       " + printable(binary_) + " --help lists all options\n";
  std::string object;
  if (json_) object = error_json(std::string(program_), failure.message, failure.place, code);
  streams_.err << text << std::flush;
  streams_.out << object << std::flush;
  return code;
}

int FailureReport::tell_out_of_memory() const {
  constexpr int kCode = static_cast<int>(ExitCode::OutOfMemory);
  streams_.err << "error: " << kOutOfMemory << '\n' << std::flush;
  if (json_)
    streams_.out << R"({"program": ")" << program_ << R"(", "exit_code": )" << kCode
                 << R"(, "error": {"message": ")" << kOutOfMemory << "\"}}\n"
                 << std::flush;
  return kCode;
}

void write_out(const Streams& streams, std::string_view text) {
  errno = 0;
  if (!streams.out.write(text.data(), static_cast<std::streamsize>(text.size()))) refuse_out();
}

void flush_out(const Streams& streams) {
  errno = 0;
  if (!streams.out.flush()) refuse_out();
}

}  // namespace vertigo::host
