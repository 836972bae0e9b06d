#include "host/text_piece.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace vertigo::host {
namespace {

TEST(AscendingNumber, IsWrittenAsAnyNumber) {
  constexpr std::uint64_t kLargest = ~std::uint64_t{0};
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{7}, std::uint64_t{95}, std::uint64_t{998},
        std::uint64_t{99'950}, std::uint64_t{4'294'967'290}, kLargest - 250}) {
    AscendingNumber number;
    number.set(first);
    for (std::uint64_t i = 0; i <= 250; ++i) {
      char text[2 * AscendingNumber::kMost];
      ASSERT_EQ(std::string(text, number.write(text)), std::to_string(first + i));
      if (i < 250) number.increment();
    }
  }
}

}  // namespace
}  // namespace vertigo::host
