#pragma once
// How a run that failed says so: one line on stderr, with --json also an object on stdout.

#include "vertigo/core/failure.h"
#include "vertigo/host/run_main.h"

namespace vertigo::host {

class FailureReport {
 public:
  /// `program` and `binary` outlive the process' main().
  FailureReport(const Streams& streams, std::string_view program, const char* binary);
  ~FailureReport();

  /// From now on the run owes an object on stdout, whatever happens.
  void promise_json();

  /// Tells the exception that is being handled and returns its exit code. Throws nothing.
  int tell() const noexcept;

 private:
  int tell(const Failure& failure) const;
  int tell_out_of_memory() const;

  const Streams& streams_;
  std::string_view program_;
  const char* binary_;
  bool json_ = false;
};

/// Writes to standard output. Throws Error(OutputFailed) with the reason where it cannot.
void write_out(const Streams& streams, std::string_view text);

/// Brings it there. Throws as write_out.
void flush_out(const Streams& streams);

}  // namespace vertigo::host
