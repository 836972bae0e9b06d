#include "vertigo/core/error.h"

#include <utility>

namespace vertigo {

Error::Error(ExitCode code, std::string message, std::string place)
    : std::runtime_error(place.empty() ? message : place + ": " + message),
      code_(code),
      message_(std::move(message)),
      place_(std::move(place)) {}

}  // namespace vertigo
