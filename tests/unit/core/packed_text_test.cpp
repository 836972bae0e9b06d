// Texts that an emitted file carries, compressed.
#include "vertigo/core/packed_text.h"

#include <gtest/gtest.h>

#include <string>

#include "vertigo/core/error.h"

namespace vertigo {
namespace {

// printf 'program p {\n}\n' | zstd -19 --no-check | base64
constexpr const char* kPacked = "KLUv/SAOcQAAcHJvZ3JhbSBwIHsKfQo=";

TEST(PackedText, IsReadAsItWas) { EXPECT_EQ(unpacked(kPacked), "program p {\n}\n"); }

TEST(PackedText, StaysWhereItIs) {
  const std::string_view first = unpacked(kPacked);
  for (int i = 0; i < 100; ++i) unpacked(kPacked);
  EXPECT_EQ(first, "program p {\n}\n");
}

TEST(PackedText, DamageIsNoticed) {
  std::string cut(kPacked), strange(kPacked);
  cut.resize(cut.size() - 8);
  strange[2] = '*';
  for (const std::string& text : {cut, strange, std::string("AAAA"), std::string()})
    EXPECT_THROW(unpacked(text), Error) << text;
}

}  // namespace
}  // namespace vertigo
