#pragma once
// Every failure that a program can meet, as an exit code and words: the one place that says which
// errno and which exception of a library means what.

#include <string>
#include <string_view>

#include "vertigo/core/error.h"

namespace vertigo {

/// What is said wherever the host's memory ends; needs no memory itself.
inline constexpr const char* kOutOfMemory = "out of memory on the host";

/// The Error of a system call that failed with `error_number` while `action` ("cannot read") was
/// tried. Lack of memory is ExitCode::OutOfMemory whatever was tried; all else is `otherwise`,
/// which says what the file was for: InputRefused, OutputFailed.
Error system_failure(ExitCode otherwise, std::string_view action, int error_number,
                     std::string place);

/// A failure in the form in which it is told.
struct Failure {
  ExitCode code;
  std::string message;
  std::string place;
};

/// The exception that is being handled, whoever threw it. Throws std::bad_alloc where there is no
/// memory for the words: kOutOfMemory remains to be said.
Failure current_failure();

}  // namespace vertigo
