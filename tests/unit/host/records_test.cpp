// Results as records that NumPy reads.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "test_programs.h"

namespace vertigo::host::test {
namespace {

class Records : public testing::Test {
 protected:
  TemporaryDirectory directory;
  std::string graph = directory.write("g.el", "1 2 5\n2 3 7\n1 3 100\n9 9 1\n");
};

TEST_F(Records, HoldWhatTheLinesSay) {
  EXPECT_EQ(call(everything(), {graph, "-o", directory.path("r.npy")}).code, 0);
  EXPECT_EQ(call(everything(), {graph, "-o", directory.path("r.bin")}).code, 0);
  const std::string npy = read(directory.path("r.npy"));
  const std::string records = read(directory.path("r.bin"));
  // NumPy wants data at a multiple of 64, and the length of the header in front of it.
  ASSERT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::size_t header =
      10 + static_cast<unsigned char>(npy[8]) + 256 * static_cast<unsigned char>(npy[9]);
  EXPECT_EQ(header % 64, 0u);
  EXPECT_EQ(npy.substr(header), records);
  EXPECT_EQ(npy.substr(10, npy.find('}') - 9),
            "{'descr': [('vertex', '<u8'), ('value', '<f8'), ('pair.0', '<i4'), ('pair.1', '<u8'), "
            "('flag', '|b1')], 'fortran_order': False, 'shape': (4,), }");
  constexpr std::size_t kRecord = 8 + 8 + 4 + 8 + 1;
  ASSERT_EQ(records.size(), 4 * kRecord);
  const auto at = [&]<class T>(std::size_t row, std::size_t offset, T value) {
    std::memcpy(&value, records.data() + row * kRecord + offset, sizeof value);
    return value;
  };
  EXPECT_EQ(at(3, 0, std::uint64_t{}), 9u);
  EXPECT_EQ(at(2, 8, double{}), 107);
  EXPECT_EQ(at(0, 16, std::int32_t{}), std::numeric_limits<std::int32_t>::max());  // inf
  EXPECT_EQ(at(0, 20, std::uint64_t{}), ~std::uint64_t{0});
  EXPECT_EQ(at(3, 20, std::uint64_t{}), 9u);
  EXPECT_EQ(at(1, 28, char{}), 1);
}

TEST_F(Records, AreRefusedWhereIdsAreText) {
  const std::string named = directory.write("named", "Ulm Bonn\nBonn Ulm\n");
  const Outcome outcome = call(everything(), {named, "-o", directory.path("r.npy")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("the ids of this graph are text"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace vertigo::host::test
