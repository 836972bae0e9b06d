#include "vertigo/core/failure.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace vertigo {
namespace {

// Limits that people meet, with what to do about them; the rest in the C library's words.
std::string reason(int error_number) {
  switch (error_number) {
    case EPIPE:
      return "nobody reads it any more (broken pipe)";
    case EFBIG:
      return "the file is larger than the limit on file sizes (ulimit -f) or the disk allows";
    case EMFILE:
      return "too many open files (ulimit -n)";
    default:
      return std::strerror(error_number);
  }
}

bool is_about_output(int error_number) {
  return error_number == ENOSPC || error_number == EDQUOT || error_number == EFBIG ||
         error_number == EPIPE || error_number == EROFS;
}

Failure of_system(const std::system_error& error) {
  const bool numbered = error.code().category() == std::generic_category() ||
                        error.code().category() == std::system_category();
  const int number = numbered ? error.code().value() : 0;
  if (number == ENOMEM) return {ExitCode::OutOfMemory, kOutOfMemory, ""};
  if (is_about_output(number)) return {ExitCode::OutputFailed, error.what(), ""};
  return {ExitCode::Other, error.what(), ""};
}

}  // namespace

Error system_failure(ExitCode otherwise, std::string_view action, int error_number,
                     std::string place) {
  const ExitCode code = error_number == ENOMEM ? ExitCode::OutOfMemory : otherwise;
  return {code, fmt::format("{}: {}", action, reason(error_number)), std::move(place)};
}

Failure current_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.code(), error.message(), error.place()};
  } catch (const std::bad_alloc&) {
    return {ExitCode::OutOfMemory, kOutOfMemory, ""};
  } catch (const std::length_error&) {  // a vector beyond what the address space can hold
    return {ExitCode::OutOfMemory, kOutOfMemory, ""};
  } catch (const std::system_error& error) {
    return of_system(error);
  } catch (const std::exception& error) {
    return {ExitCode::Other, error.what(), ""};
  } catch (...) {
    return {ExitCode::Other, "an exception of no known type", ""};
  }
}

}  // namespace vertigo
