#pragma once
// How a run that failed says so: one line on stderr, with --json also an object on stdout.

#include "vertigo/core/failure.h"
#include "vertigo/host/run_main.h"

namespace vertigo::host {

class FailureReport {
 public:
  /// `binary` outlives it.
  FailureReport(const Streams& streams, const char* binary);
  ~FailureReport();

  /// From now on the run owes an object on stdout, whatever happens. `program` outlives the
  /// process' main().
  void promise_json(std::string_view program);

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
