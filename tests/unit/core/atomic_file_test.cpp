#include "vertigo/core/atomic_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "vertigo/core/error.h"

namespace vertigo {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
 protected:
  AtomicFileTest() {
    std::string pattern = (fs::temp_directory_path() / "vertigo-atomic-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~AtomicFileTest() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }
  static ExitCode code_of(const std::string& path,
                          OverwriteRule rule = OverwriteRule::RegularOnly) {
    try {
      AtomicFile file(path, rule);
      file.write("x");
      file.commit();
    } catch (const Error& error) {
      return error.code();
    }
    return ExitCode::Done;
  }

  fs::path folder_;
};

TEST_F(AtomicFileTest, AppearsWithCommit) {
  AtomicFile file(at("a"));
  file.write("hello");
  EXPECT_FALSE(fs::exists(at("a")));
  file.commit();
  EXPECT_EQ(content(at("a")), "hello");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, LeavesNothingWithoutCommit) {
  std::ofstream(at("a")) << "old";
  {
    AtomicFile(at("a")).write("new");
  }
  EXPECT_EQ(content(at("a")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, KeepsTheModeOfWhatItReplaces) {
  std::ofstream(at("a")) << "old";
  ::chmod(at("a").c_str(), 0640);
  EXPECT_EQ(code_of(at("a")), ExitCode::Done);
  struct stat status{};
  ASSERT_EQ(::stat(at("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

TEST_F(AtomicFileTest, RefusesLinksDirectoriesAndDevices) {
  std::ofstream(at("real")) << "old";
  fs::create_symlink(at("real"), at("link"));
  fs::create_directory(at("folder"));
  EXPECT_EQ(code_of(at("link")), ExitCode::OutputFailed);
  EXPECT_EQ(code_of(at("folder")), ExitCode::OutputFailed);
  EXPECT_EQ(code_of(at("folder"), OverwriteRule::Force), ExitCode::OutputFailed);
  EXPECT_EQ(code_of("/dev/null"), ExitCode::OutputFailed);
  EXPECT_EQ(code_of(at("missing/file")), ExitCode::OutputFailed);
  EXPECT_EQ(code_of(""), ExitCode::OutputFailed);
  EXPECT_EQ(content(at("real")), "old");
}

TEST_F(AtomicFileTest, ForceReplacesWhatALinkLeadsTo) {
  std::ofstream(at("real")) << "old";
  fs::create_symlink(at("real"), at("link"));
  EXPECT_EQ(code_of(at("link"), OverwriteRule::Force), ExitCode::Done);
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_EQ(content(at("real")), "x");
  EXPECT_EQ(code_of("/dev/null", OverwriteRule::Force), ExitCode::Done);
}

TEST_F(AtomicFileTest, LongNamesNeedNoRoomForATemporaryOne) {
  for (const std::size_t length : {247, 248, 254, 255}) {
    const std::string name(length, 'n');
    EXPECT_EQ(code_of(at(name)), ExitCode::Done) << length;
    EXPECT_EQ(code_of(at(name)), ExitCode::Done) << length << ", replaced";
    EXPECT_EQ(content(at(name)), "x");
  }
  EXPECT_EQ(code_of(at(std::string(256, 'n'))), ExitCode::OutputFailed);
  EXPECT_EQ(files(), 4u);
}

TEST_F(AtomicFileTest, NothingIsLeftByAProcessThatIsKilled) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    AtomicFile file(at("a"));
    file.write("half");
    kill(getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(files(), 0u);
}

TEST_F(AtomicFileTest, KeepsAFileThatMayNotBeWritten) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write everything";
  std::ofstream(at("a")) << "old";
  ::chmod(at("a").c_str(), 0444);
  EXPECT_EQ(code_of(at("a")), ExitCode::OutputFailed);
  EXPECT_EQ(content(at("a")), "old");
  EXPECT_EQ(code_of(at("a"), OverwriteRule::Force), ExitCode::Done);
}

TEST_F(AtomicFileTest, KnowsWhatItReplacesByAnyName) {
  std::ofstream(at("a")) << "old";
  fs::create_hard_link(at("a"), at("hard"));
  fs::create_symlink(at("a"), at("soft"));
  for (const char* name : {"a", "hard", "soft", "./a", "folder/../a"}) {
    fs::create_directory(at("folder"));
    const AtomicFile file(at(name), OverwriteRule::Force);
    EXPECT_EQ(file.replaced(), identity_of(at("a"))) << name;
  }
  const AtomicFile missing(at("b")), again(at("./b")), other(at("c"));
  EXPECT_FALSE(missing.replaced());
  EXPECT_TRUE(missing.same_place(again));
  EXPECT_FALSE(missing.same_place(other));
}

TEST_F(AtomicFileTest, AFileThatAppearsMeanwhileIsReplaced) {
  AtomicFile file(at("a"));
  file.write("new");
  std::ofstream(at("a")) << "of another process";
  file.commit();
  EXPECT_EQ(content(at("a")), "new");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, CanBeMadeExecutable) {
  AtomicFile file(at("a"));
  file.make_executable();
  file.commit();
  struct stat status{};
  ASSERT_EQ(::stat(at("a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0100, 0100u);
}

TEST_F(AtomicFileTest, TellsAFullDisk) {
  EXPECT_EQ(code_of("/dev/full", OverwriteRule::Force), ExitCode::OutputFailed);
}

}  // namespace
}  // namespace vertigo
