#include "vertigo/core/secret_number.h"

#include <sys/random.h>

#include <chrono>

namespace vertigo {

std::uint64_t secret_number() {
  std::uint64_t number = 0;
  if (::getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  return number;
}

}  // namespace vertigo
