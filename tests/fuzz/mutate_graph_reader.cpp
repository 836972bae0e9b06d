// Mutated files of every format through the graph readers, each seed with many options and forms of
// storage.
//
//   mutate_graph_reader --inputs 10000000 --jobs 64 --dictionary tests/fuzz/graph_reader.dict
//     tests/fuzz/corpus/graph_reader

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/fuzz/graph_reader_input.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/mutation_run.h"
#include "vertigo/core/parallel.h"

namespace {

namespace files = std::filesystem;

constexpr int kVariants = 32;

std::string content_of(const files::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Mutations seldom meet the three bytes in front, so the seeds themselves differ in them: the
// format is the seed's or found by content, options and storage are any.
void write_variants(const files::path& seeds, const files::path& to) {
  std::vector<files::path> paths;
  for (const auto& entry : files::directory_iterator(seeds)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  vertigo::fuzz::Random random(1);
  for (const files::path& path : paths) {
    std::string seed = content_of(path);
    if (seed.size() < 3) continue;
    for (int variant = 0; variant < kVariants; ++variant) {
      if (variant > 0) {
        if (random.below(2) == 0) seed[0] = '\xFF';
        seed[1] = static_cast<char>(random.below(256));
        seed[2] = static_cast<char>(random.below(64));
      }
      std::ofstream(to / (path.filename().string() + "-" + std::to_string(variant)),
                    std::ios::binary)
          << seed;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
#ifdef _OPENMP
  omp_set_num_threads(1);  // one input is too small for two, and every job is a process
#endif
  std::string folder = (files::temp_directory_path() / "vertigo-seeds-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) return 1;
  std::vector<char*> arguments(argv, argv + argc);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string word = arguments[i];
    if (word.starts_with("--")) {
      ++i;
    } else if (files::is_directory(word)) {
      write_variants(word, folder);
      arguments[i] = folder.data();
    }
  }
  const int status = vertigo::fuzz::run_mutations(
      static_cast<int>(arguments.size()), arguments.data(), vertigo::fuzz::try_graph_reader);
  files::remove_all(folder);
  return status;
}
