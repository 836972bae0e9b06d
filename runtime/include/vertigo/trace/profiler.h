#pragma once
// Ranges that profilers show on their time line: NVTX, in the domain "vertigo". Where none listens
// a range costs a comparison; where the library was built without NVTX's headers, which come with
// the CUDA Toolkit, there are none.

#include <string_view>

namespace vertigo::trace {

/// Opens a range called `kind`, or "kind name". Ranges of a thread nest.
void push_range(std::string_view kind, std::string_view name = {});
/// Closes the one that was opened last.
void pop_range();

/// A range from here to the end of the scope.
class ProfilerRange {
 public:
  explicit ProfilerRange(std::string_view kind) { push_range(kind); }
  ~ProfilerRange() { pop_range(); }
  ProfilerRange(const ProfilerRange&) = delete;
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace vertigo::trace
