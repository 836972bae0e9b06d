#include "tests/fuzz/mutation_run.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "tests/fuzz/mutate.h"

namespace vertigo::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  std::uint64_t inputs = 100'000;
  std::uint64_t first = 0;
  double seconds = 1e9;
  std::size_t jobs = 1;
  std::size_t memory_mib = 256;
  unsigned limit_seconds = 5;
  std::size_t longest = 8192;
  std::string found = "found";
  Seeds seeds;
};

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void add_seeds(Options& options, const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) {
    options.seeds.texts.push_back(read_file(path));
    return;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& each : std::filesystem::directory_iterator(path))
    if (each.is_regular_file()) files.push_back(each.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) options.seeds.texts.push_back(read_file(file));
}

// Lines of libFuzzer's dictionaries: "word".
void add_dictionary(Options& options, const std::string& path) {
  std::istringstream lines(read_file(path));
  for (std::string line; std::getline(lines, line);)
    if (line.size() > 2 && line.front() == '"' && line.back() == '"')
      options.seeds.dictionary.push_back(line.substr(1, line.size() - 2));
}

Options options_of(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.starts_with("--")) {
      add_seeds(options, word);
      continue;
    }
    if (++i == argc) {
      std::fprintf(stderr, "%s takes a value\n", word.c_str());
      std::exit(2);
    }
    const std::string value = argv[i];
    const auto number = [&] { return std::stoull(value); };
    const std::map<std::string, std::function<void()>> known = {
        {"--inputs", [&] { options.inputs = number(); }},
        {"--first", [&] { options.first = number(); }},
        {"--seconds", [&] { options.seconds = std::stod(value); }},
        {"--jobs", [&] { options.jobs = std::max<std::size_t>(1, number()); }},
        {"--memory", [&] { options.memory_mib = number(); }},
        {"--limit", [&] { options.limit_seconds = static_cast<unsigned>(number()); }},
        {"--longest", [&] { options.longest = number(); }},
        {"--found", [&] { options.found = value; }},
        {"--dictionary", [&] { add_dictionary(options, value); }}};
    const auto option = known.find(word);
    if (option == known.end()) {
      std::fprintf(stderr, "there is no option %s\n", word.c_str());
      std::exit(2);
    }
    option->second();
  }
  if (options.seeds.texts.empty()) {
    std::fprintf(stderr, "no seeds are given\n");
    std::exit(2);
  }
  return options;
}

/// What a worker tells its parent, in shared memory: the parent reads it when the worker is dead.
struct Progress {
  std::uint64_t next;  ///< the input that is tried now
  std::uint64_t tried;
  std::uint64_t taken;
  std::uint64_t worst_input;
  double worst_seconds;
};

void cap(const Options& options) {
  const rlimit memory{options.memory_mib << 20, options.memory_mib << 20};
  setrlimit(RLIMIT_DATA, &memory);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

void watch(unsigned seconds) {
  const itimerval timer{{0, 0}, {static_cast<time_t>(seconds), 0}};
  setitimer(ITIMER_REAL, &timer, nullptr);  // SIGALRM ends the process
}

// A worker that tried this many is replaced: what the libraries keep from input to input is no
// fault of the next one.
constexpr std::uint64_t kInputsOfAWorker = 1000;
constexpr int kGoOn = 3;  ///< exit status of a worker that is to be replaced

class Run {
 public:
  Run(Options options, TryInput try_input) : options_(std::move(options)), try_(try_input) {
    void* shared = mmap(nullptr, options_.jobs * sizeof(Progress), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) std::abort();
    progress_ = static_cast<Progress*>(shared);
  }

  int run() {
    begin_ = Clock::now();
    std::vector<pid_t> workers(options_.jobs);
    for (std::size_t job = 0; job < options_.jobs; ++job) {
      progress_[job].next = options_.first + job;
      workers[job] = start(job);
    }
    for (std::size_t alive = options_.jobs; alive > 0;) {
      int status = 0;
      rusage used{};
      const pid_t ended = wait4(-1, &status, 0, &used);
      const auto found = std::find(workers.begin(), workers.end(), ended);
      if (found == workers.end()) continue;
      const auto job = static_cast<std::size_t>(found - workers.begin());
      peak_kib_ = std::max(peak_kib_, used.ru_maxrss);
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        --alive;
        continue;
      }
      if (!WIFEXITED(status) || WEXITSTATUS(status) != kGoOn) {
        keep(progress_[job].next, status);
        progress_[job].next += options_.jobs;
      }
      workers[job] = start(job);
    }
    report();
    return failures_ == 0 ? 0 : 1;
  }

 private:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  pid_t start(std::size_t job) {
    const pid_t child = fork();
    if (child != 0) return child;
    cap(options_);
    Progress& mine = progress_[job];
    const std::uint64_t last = mine.tried + kInputsOfAWorker;
    for (; mine.next < options_.first + options_.inputs && seconds() < options_.seconds;
         mine.next += options_.jobs) {
      const std::string input = mutated(options_.seeds, mine.next, options_.longest);
      const double before = seconds();
      watch(options_.limit_seconds);
      mine.taken += try_(input) ? 1 : 0;
      watch(0);
      const double took = seconds() - before;
      if (took > mine.worst_seconds) {
        mine.worst_seconds = took;
        mine.worst_input = mine.next;
      }
      if (++mine.tried == last) {
        mine.next += options_.jobs;
        _exit(kGoOn);
      }
    }
    _exit(0);
  }

  /// The status of one try in a process of its own.
  int status_of(const std::string& input) {
    const pid_t child = fork();
    if (child == 0) {
      cap(options_);
      if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(0);
      watch(options_.limit_seconds);
      try_(input);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }

  // Leaves out ever smaller pieces as long as the input ends its process in the same way.
  std::string shrunk(std::string input, int status) {
    const Clock::time_point begin = Clock::now();
    const auto tired = [&] { return Clock::now() - begin > std::chrono::seconds(60); };
    for (std::size_t size = input.size() / 2; size > 0 && !tired(); size /= 2)
      for (std::size_t at = 0; at < input.size() && !tired();) {
        std::string shorter = input;
        shorter.erase(at, size);
        if (status_of(shorter) == status)
          input = std::move(shorter);
        else
          at += size;
      }
    return input;
  }

  void keep(std::uint64_t number, int status) {
    ++failures_;
    const std::string input = mutated(options_.seeds, number, options_.longest);
    const std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "an exit";
    const bool again = status_of(input) == status;
    std::filesystem::create_directories(options_.found);
    const std::string name = options_.found + "/input-" + std::to_string(number);
    std::ofstream(name, std::ios::binary) << (again ? shrunk(input, status) : input);
    std::printf("input %llu: %s; %s%s\n", static_cast<unsigned long long>(number), how.c_str(),
                name.c_str(), again ? "" : " (not when it is tried alone)");
    std::fflush(stdout);
  }

  void report() {
    Progress all{};
    for (std::size_t job = 0; job < options_.jobs; ++job) {
      all.tried += progress_[job].tried;
      all.taken += progress_[job].taken;
      if (progress_[job].worst_seconds < all.worst_seconds) continue;
      all.worst_seconds = progress_[job].worst_seconds;
      all.worst_input = progress_[job].worst_input;
    }
    std::printf(
        "%llu inputs from %zu seeds in %.0f s (%.0f/s), %llu taken; slowest %.3f s (input %llu); "
        "peak %ld MiB; %zu failures\n",
        static_cast<unsigned long long>(all.tried), options_.seeds.texts.size(), seconds(),
        static_cast<double>(all.tried) / seconds(), static_cast<unsigned long long>(all.taken),
        all.worst_seconds, static_cast<unsigned long long>(all.worst_input), peak_kib_ / 1024,
        failures_);
    std::printf("%llu passed, %zu failed\n", static_cast<unsigned long long>(all.tried), failures_);
  }

  Options options_;
  TryInput try_;
  Progress* progress_ = nullptr;
  Clock::time_point begin_;
  std::size_t failures_ = 0;
  long peak_kib_ = 0;
};

}  // namespace

int run_mutations(int argc, char** argv, TryInput try_input) {
  return Run(options_of(argc, argv), try_input).run();
}

}  // namespace vertigo::fuzz
