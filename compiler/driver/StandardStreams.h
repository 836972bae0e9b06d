#pragma once
// stdin, stdout and stderr of the compiler's programs.

namespace vertigo::compiler::driver {

/// Where one of the three is closed, nothing that is opened later takes its place: a result file
/// would receive what is meant for the terminal. What stdout does not take (a full disk, a reader
/// that went away) is said when the process exits, with the exit code for outputs.
void secure_standard_streams();

}  // namespace vertigo::compiler::driver
