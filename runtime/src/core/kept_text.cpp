#include "vertigo/core/kept_text.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "vertigo/core/atomic_file.h"
#include "vertigo/core/descriptor.h"
#include "vertigo/core/error.h"
#include "vertigo/core/failure.h"
#include "vertigo/core/names_in_folder.h"

namespace vertigo {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".txt";
constexpr std::size_t kNameDigits = 16;
// Also the version of this form: what begins otherwise is not read.
constexpr std::string_view kMark = "vertigo keeps 1\n";

// FNV-1a: it finds damage, and spreads names. Whoever may write here needs no forged sum.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// Lengths before texts, so that nothing is taken for anything else.
std::string form_of(std::string_view key, std::string_view text) {
  std::string form = fmt::format("{}{} {}\n{}{}", kMark, key.size(), text.size(), key, text);
  return form + fmt::format("{:016x}\n", hash_of(form));
}

bool is_own(const struct stat& status) {
  return S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
}

// The whole of a short file of this user's; nothing where it cannot be had. What was opened is
// asked for its owner: under the name there may be another file by then.
std::optional<std::string> content_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  struct stat status{};
  if (!file || ::fstat(file.get(), &status) != 0 || !is_own(status)) return std::nullopt;
  std::string content(KeptTexts::kMostBytes + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t got = ::read(file.get(), content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  if (size > KeptTexts::kMostBytes) return std::nullopt;
  content.resize(size);
  return content;
}

}  // namespace

bool is_own_file(const std::string& path) {
  struct stat status{};
  return ::lstat(path.c_str(), &status) == 0 && is_own(status);
}

std::string who_else_writes(const std::string& folder) {
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0) return "";
  if (status.st_uid != ::geteuid()) return "it belongs to another user";
  return (status.st_mode & S_IWOTH) != 0 ? "everybody may write there" : "";
}

void make_cache_folder(const std::string& folder) {
  constexpr const char* kWhat = "cannot make the folder";
  fs::path path(folder);
  // Of "cache/" that is "cache" itself, which would be made for all to read.
  if (!path.has_filename()) path = path.parent_path();
  std::error_code failed;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failed);
  if (failed) throw system_failure(ExitCode::OutputFailed, kWhat, failed.value(), folder);
  if (::mkdir(path.c_str(), S_IRWXU) != 0 && errno != EEXIST)
    throw system_failure(ExitCode::OutputFailed, kWhat, errno, folder);
}

KeptTexts::KeptTexts(std::string folder, std::string_view kind)
    : folder_(std::move(folder)), kind_(kind) {}

std::string KeptTexts::place_of(std::string_view key) const {
  return fmt::format("{}/{}-{:016x}{}", folder_, kind_, hash_of(key), kEnding);
}

std::optional<std::string> KeptTexts::find(std::string_view key) const {
  const std::optional<std::string> content = content_of(place_of(key));
  if (!content || !content->starts_with(kMark)) return std::nullopt;
  // Where the key is this one, the text is what is left between two parts of known length; a form
  // made of both tells whether everything is as it was written.
  const std::size_t line = content->find('\n', kMark.size());
  const std::size_t end = content->size() - std::min(content->size(), kNameDigits + 1);
  if (line == std::string::npos || line + 1 + key.size() > end) return std::nullopt;
  const std::size_t begin = line + 1 + key.size();
  std::string text = content->substr(begin, end - begin);
  if (form_of(key, text) != *content) return std::nullopt;
  return text;
}

std::string KeptTexts::store(std::string_view key, std::string_view text) const {
  try {
    const std::string form = form_of(key, text);
    if (form.size() > kMostBytes) return "it is too long to be kept";
    make_cache_folder(folder_);
    AtomicFile file(place_of(key));
    file.leave_to_the_system();
    file.write(form);
    file.commit();
    make_room();
    return "";
  } catch (const std::exception&) {
    const Failure failure = current_failure();
    return failure.place.empty() ? failure.message : failure.place + ": " + failure.message;
  }
}

std::vector<KeptTexts::Entry> KeptTexts::entries() const {
  std::vector<Entry> found;
  for (const std::string& name : names_in_folder(folder_)) {
    const std::string path = folder_ + "/" + name;
    const std::string_view digits =
        name.starts_with(kind_ + "-") ? std::string_view(name).substr(kind_.size() + 1) : "";
    struct stat status{};
    if (digits.size() != kNameDigits + kEnding.size() || !digits.ends_with(kEnding) ||
        digits.find_first_not_of("0123456789abcdef") != kNameDigits ||
        ::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
      continue;
    found.push_back({path, static_cast<std::uint64_t>(status.st_size),
                     status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec});
  }
  std::ranges::sort(found, std::greater{}, &Entry::kept);
  return found;
}

void KeptTexts::make_room() const {
  const std::vector<Entry> all = entries();
  for (std::size_t i = kMostTexts; i < all.size(); ++i) (void)::unlink(all[i].path.c_str());
}

std::vector<KeptTexts::Entry> KeptTexts::clear() const {
  std::vector<Entry> removed = entries();
  for (const Entry& entry : removed)
    if (::unlink(entry.path.c_str()) != 0 && errno != ENOENT)
      throw system_failure(ExitCode::OutputFailed, "cannot remove", errno, entry.path);
  return removed;
}

}  // namespace vertigo
