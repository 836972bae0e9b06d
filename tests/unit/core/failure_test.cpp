#include "vertigo/core/failure.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>

namespace vertigo {
namespace {

Failure failure_of(const std::function<void()>& fails) {
  try {
    fails();
  } catch (...) {
    return current_failure();
  }
  return {ExitCode::Done, "", ""};
}

TEST(Failure, LackOfMemoryIsFiveWhoeverSaysSo) {
  const std::function<void()> ways[] = {
      [] { throw std::bad_alloc(); },
      [] { throw std::bad_array_new_length(); },
      [] { throw std::length_error("vector::reserve"); },
      [] { throw std::system_error(ENOMEM, std::generic_category()); },
      [] { throw std::system_error(ENOMEM, std::system_category()); },
      [] { throw system_failure(ExitCode::InputRefused, "cannot map", ENOMEM, "g.vgg"); },
      [] { throw system_failure(ExitCode::OutputFailed, "cannot create", ENOMEM, "out"); }};
  for (const auto& way : ways) EXPECT_EQ(failure_of(way).code, ExitCode::OutOfMemory);
}

TEST(Failure, OtherSystemErrorsAreOfTheFileTheyBefall) {
  for (const int number : {EIO, EMFILE, ENFILE, EACCES}) {
    EXPECT_EQ(system_failure(ExitCode::InputRefused, "a", number, "f").code(),
              ExitCode::InputRefused);
    EXPECT_EQ(system_failure(ExitCode::OutputFailed, "a", number, "f").code(),
              ExitCode::OutputFailed);
  }
}

TEST(Failure, WordsSayWhatHappenedAndWhere) {
  const Error pipe = system_failure(ExitCode::OutputFailed, "cannot write", EPIPE, "out.txt");
  EXPECT_EQ(pipe.place(), "out.txt");
  EXPECT_EQ(pipe.message(), "cannot write: nobody reads it any more (broken pipe)");
  const Error full = system_failure(ExitCode::OutputFailed, "cannot write", ENOSPC, "");
  EXPECT_EQ(full.message(), "cannot write: No space left on device");
}

TEST(Failure, AFullDiskIsAboutTheOutputWhoeverSaysSo) {
  for (const int number : {ENOSPC, EDQUOT, EFBIG, EPIPE})
    EXPECT_EQ(failure_of([&] { throw std::system_error(number, std::generic_category()); }).code,
              ExitCode::OutputFailed);
  EXPECT_EQ(failure_of([] { throw std::runtime_error("odd"); }).code, ExitCode::Other);
  EXPECT_EQ(failure_of([] { throw 7; }).code, ExitCode::Other);
}

}  // namespace
}  // namespace vertigo
