#include "vertigo/execute/link_rates.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "vertigo/core/kept_text.h"

namespace vertigo::execute {
namespace {

namespace fs = std::filesystem;

LinkRates some_rates() {
  LinkRates rates;
  rates.copy = 55.123456789e9;
  rates.copy_start = 9.1e-6;
  rates.read_long = 50e9;
  rates.read_short = 1.0 / 3 * 1e10;
  rates.gather_long = 30e9;
  rates.gather_short = 4e9;
  rates.seconds = 0.0082;
  rates.piece = 32 << 20;
  rates.measured = 1764109800;
  return rates;
}

TEST(LinkRates, AreReadBackAsTheyWereKept) {
  const LinkRates rates = some_rates();
  const auto read = rates_of(kept_form(rates));
  ASSERT_TRUE(read);
  EXPECT_EQ(kept_form(*read), kept_form(rates));
  EXPECT_EQ(read->read_short, rates.read_short);
  EXPECT_EQ(read->copy_start, rates.copy_start);
  EXPECT_EQ(read->measured, rates.measured);
  EXPECT_TRUE(read->kept);
}

TEST(LinkRates, WhatNoMachineDoesIsNotBelieved) {
  const std::string form = kept_form(some_rates());
  const auto with = [&](const std::string& name, const std::string& value) {
    const std::size_t begin = form.find(name + " ") + name.size() + 1;
    std::string changed = form;
    return changed.replace(begin, form.find('\n', begin) - begin, value);
  };
  EXPECT_TRUE(rates_of(with("copy", "1e9")));
  for (const char* const value : {"nan", "inf", "-1", "0", "1e300", "", "1e9x", "0x10", "1 2"})
    EXPECT_FALSE(rates_of(with("copy", value))) << value;
  EXPECT_FALSE(rates_of(with("copy-start", "-0.1")));
  EXPECT_FALSE(rates_of(with("copy-start", "1e5")));
  EXPECT_FALSE(rates_of(with("measured", "-5")));
  EXPECT_FALSE(rates_of(with("measured", "999999999999999")));
  EXPECT_FALSE(rates_of(with("piece", "-1")));
  for (std::size_t size = 0; size < form.size(); ++size)
    EXPECT_FALSE(rates_of(form.substr(0, size)));
  EXPECT_FALSE(rates_of(form + "more 1\n"));
}

TEST(LinkRates, OfSmallerPiecesOrAnotherMachineAreNotTaken) {
  std::string name = (fs::temp_directory_path() / "vertigo-rates-XXXXXX").string();
  const std::string folder = ::mkdtemp(name.data());
  Machine machine{"a GPU", "0000:01:00.0", 13000, 13000, 16};
  const std::string key = key_of(machine);
  EXPECT_FALSE(find_rates(folder, key, 0));
  keep_rates(folder, key, some_rates());
  ASSERT_TRUE(find_rates(folder, key, 32 << 20));
  EXPECT_TRUE(find_rates(folder, key, 4096));
  EXPECT_FALSE(find_rates(folder, key, (32 << 20) + 1));
  EXPECT_FALSE(find_rates("", key, 0));
  machine.threads = 15;
  EXPECT_FALSE(find_rates(folder, key_of(machine), 0));
  machine = {"a GPU", "0000:02:00.0", 13000, 13000, 16};
  EXPECT_FALSE(find_rates(folder, key_of(machine), 0));
  ASSERT_EQ(KeptTexts(folder, kKeptRates).store(key, "measured 1\nwrong\n"), "");
  EXPECT_FALSE(find_rates(folder, key, 0));
  keep_rates(folder + "/none/\0", key, some_rates());  // fails for no reason
  fs::remove_all(folder);
}

TEST(LinkRates, SayWhetherTheyWereMeasured) {
  LinkRates rates = some_rates();
  EXPECT_EQ(in_words(rates),
            "copies 55.1 GB/s after 9.1 us, kernels read 3.33 GB/s to 50 GB/s, the host gathers 4 "
            "GB/s to 30 GB/s; measured in 8.2 ms");
  rates.kept = true;
  EXPECT_NE(in_words(rates).find("; kept from 2025-11-25 22:30 UTC, when measuring took 8.2 ms"),
            std::string::npos)
      << in_words(rates);
}

}  // namespace
}  // namespace vertigo::execute
