#include "vertigo/core/kept_text.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "vertigo/core/error.h"

namespace vertigo {
namespace {

namespace fs = std::filesystem;

class KeptTextsTest : public testing::Test {
 protected:
  static std::string new_folder() {
    std::string form = (fs::temp_directory_path() / "vertigo-kept-XXXXXX").string();
    return ::mkdtemp(form.data());
  }
  ~KeptTextsTest() override { fs::remove_all(folder); }

  std::string only_file() const {
    EXPECT_EQ(kept.entries().size(), 1);
    return kept.entries().front().path;
  }
  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static void write(const std::string& path, const std::string& content) {
    std::ofstream(path, std::ios::binary) << content;
  }

  const std::string folder = new_folder();
  const KeptTexts kept{folder + "/below/cache", "link"};
};

TEST_F(KeptTextsTest, FindsWhatWasStoredUnderTheSameKey) {
  EXPECT_EQ(kept.find("key"), std::nullopt);
  EXPECT_EQ(kept.store("key", "first"), "");
  EXPECT_EQ(kept.store("other", ""), "");
  EXPECT_EQ(kept.find("key"), "first");
  EXPECT_EQ(kept.find("other"), "");
  EXPECT_EQ(kept.find("ke"), std::nullopt);
  EXPECT_EQ(kept.store("key", "second"), "");
  EXPECT_EQ(kept.find("key"), "second");
  EXPECT_EQ(kept.entries().size(), 2);
  EXPECT_EQ(KeptTexts(folder + "/below/cache", "word").find("key"), std::nullopt);
  struct stat status{};
  ASSERT_EQ(::stat((folder + "/below/cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700);
}

TEST_F(KeptTextsTest, NobodyElseReadsAFolderWhoseNameEndsWithASlash) {
  ASSERT_EQ(KeptTexts(folder + "/open/cache/", "link").store("key", "text"), "");
  struct stat status{};
  ASSERT_EQ(::stat((folder + "/open/cache").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700);
}

TEST_F(KeptTextsTest, EveryDamagedByteIsNoticed) {
  ASSERT_EQ(kept.store("key", "a text\n"), "");
  const std::string path = only_file();
  const std::string whole = content(path);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 4);
    write(path, damaged);
    EXPECT_EQ(kept.find("key"), std::nullopt) << i;
    write(path, whole.substr(0, i));
    EXPECT_EQ(kept.find("key"), std::nullopt) << i;
  }
  write(path, whole + "\n");
  EXPECT_EQ(kept.find("key"), std::nullopt);
  write(path, whole);
  EXPECT_EQ(kept.find("key"), "a text\n");
}

TEST_F(KeptTextsTest, AFileOfAnotherKeyOrBehindALinkIsNone) {
  ASSERT_EQ(kept.store("key", "text"), "");
  const std::string path = only_file();
  const std::string of_key = content(path);
  ASSERT_EQ(kept.clear().size(), 1);
  ASSERT_EQ(kept.store("other", "text"), "");
  const std::string of_other = content(only_file());
  write(path, of_other);  // as if both had one hash
  EXPECT_EQ(kept.find("key"), std::nullopt);
  fs::remove(path);
  write(folder + "/elsewhere", of_key);
  fs::create_symlink(folder + "/elsewhere", path);
  EXPECT_EQ(kept.find("key"), std::nullopt);
  EXPECT_NE(kept.store("key", "text"), "");
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(kept.find("key"), std::nullopt);
  EXPECT_NE(kept.store("key", "text"), "");
}

TEST_F(KeptTextsTest, IsBounded) {
  EXPECT_NE(kept.store("key", std::string(KeptTexts::kMostBytes, 'x')), "");
  EXPECT_EQ(kept.entries().size(), 0);
  for (std::size_t i = 0; i < KeptTexts::kMostTexts + 5; ++i)
    ASSERT_EQ(kept.store(std::to_string(i), "text"), "");
  EXPECT_EQ(kept.entries().size(), KeptTexts::kMostTexts);
  EXPECT_EQ(kept.find(std::to_string(KeptTexts::kMostTexts + 4)), "text");
}

TEST_F(KeptTextsTest, WhatCannotBeStoredFailsNothing) {
  write(folder + "/file", "");
  const KeptTexts nowhere(folder + "/file/below", "link");
  EXPECT_NE(nowhere.store("key", "text"), "");
  EXPECT_EQ(nowhere.find("key"), std::nullopt);
  EXPECT_EQ(nowhere.clear().size(), 0);
  try {
    make_cache_folder(folder + "/file/below/cache");
    ADD_FAILURE() << "there is a folder in a file";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::OutputFailed);
  }
}

}  // namespace
}  // namespace vertigo
