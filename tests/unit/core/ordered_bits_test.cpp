// Tuples as words: the order of words is the order of tuples, and what goes in comes out.
#include "vertigo/core/ordered_bits.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

#include "vertigo/cpu/tuple.h"

namespace vertigo {
namespace {

template <class T>
std::vector<T> extremes() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {T{0}, T{1}, Limits::lowest(), Limits::max()};
  if constexpr (Limits::is_signed) values.push_back(-T{1});
  if constexpr (std::is_integral_v<T>) {
    values.push_back(static_cast<T>(Limits::lowest() + 1));
    values.push_back(static_cast<T>(Limits::max() - 1));
    values.push_back(static_cast<T>(Limits::max() / 2 + 1));
  } else {
    values.push_back(Limits::infinity());
    values.push_back(-Limits::infinity());
    values.push_back(Limits::min());
    values.push_back(-Limits::min());
  }
  if constexpr (std::is_floating_point_v<T>) {
    values.push_back(Limits::denorm_min());
    values.push_back(-Limits::denorm_min());
    values.push_back(T(-0.0));
    values.push_back(std::nextafter(T{1}, T{2}));
  }
  return values;
}
template <>
std::vector<bool> extremes() {
  return {false, true};
}

template <class... E>
struct Of {
  using Tuple = cpu::Tuple<E...>;
  using Packed = cpu::Packed<E...>;

  static std::vector<Tuple> all() {
    std::vector<Tuple> tuples;
    add(tuples);
    return tuples;
  }

 private:
  template <class... Done>
  static void add(std::vector<Tuple>& tuples, Done... done) {
    if constexpr (sizeof...(Done) == sizeof...(E)) {
      tuples.push_back(Tuple(done...));
    } else {
      using Next = std::tuple_element_t<sizeof...(Done), std::tuple<E...>>;
      for (const Next next : extremes<Next>()) add(tuples, done..., next);
    }
  }
};

template <class T>
class TupleWords : public testing::Test {};

using Tuples = testing::Types<
    Of<std::int32_t, std::uint32_t>, Of<float, std::uint32_t>, Of<std::int32_t, bool>,
    Of<double, std::uint32_t>, Of<std::int64_t, std::uint32_t>, Of<Wide64, std::uint32_t>,
    Of<std::uint64_t, std::int64_t>, Of<std::int64_t, double>, Of<double, double>,
    Of<float, double>, Of<bool, double, bool>, Of<std::int32_t, std::int32_t, std::uint32_t>,
    Of<std::int32_t, double, std::uint32_t>, Of<std::uint32_t, float, bool, std::int32_t>>;
TYPED_TEST_SUITE(TupleWords, Tuples);

TYPED_TEST(TupleWords, AreOrderedAsTuples) {
  using Packed = typename TypeParam::Packed;
  const auto tuples = TypeParam::all();
  for (const auto& a : tuples)
    for (const auto& b : tuples) {
      ASSERT_EQ(a < b, Packed(a).word < Packed(b).word);
      ASSERT_EQ(a == b, Packed(a).word == Packed(b).word);
    }
}

TYPED_TEST(TupleWords, GiveBackWhatTheyHold) {
  using Packed = typename TypeParam::Packed;
  using Tuple = typename TypeParam::Tuple;
  for (const auto& each : TypeParam::all()) ASSERT_EQ(Tuple(Packed(each)), each);
}

TEST(TupleWord, HasSixtyFourBitsWhereTheyAreEnough) {
  EXPECT_EQ(sizeof(cpu::Packed<float, std::uint32_t>), 8u);
  EXPECT_EQ(sizeof(cpu::Packed<double, bool>), 16u);
  EXPECT_EQ(sizeof(cpu::Packed<double, std::int64_t>), 16u);
  EXPECT_EQ(alignof(cpu::Packed<double, std::uint32_t>), 16u);
}

TEST(TupleWord, KeepsTheBitsOfEveryDouble) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    const auto value = detail::image_of<double>(bits);
    if (std::isnan(value)) continue;
    const double back = detail::from_ordered_bits<double>(detail::ordered_bits(value));
    EXPECT_EQ(detail::image_of<std::uint64_t>(back), bits);
  }
}

TEST(TupleWord, HoldsOneZero) {
  EXPECT_EQ(detail::ordered_bits(-0.0), detail::ordered_bits(0.0));
  EXPECT_EQ(detail::ordered_bits(-0.0f), detail::ordered_bits(0.0f));
  EXPECT_FALSE(std::signbit(detail::from_ordered_bits<double>(detail::ordered_bits(-0.0))));
}

}  // namespace
}  // namespace vertigo
