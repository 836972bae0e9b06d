#include "input_stream.h"

#include <fmt/format.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "vertigo/core/failure.h"

namespace vertigo::graph {
namespace {

constexpr std::size_t kCompressedBuffer = std::size_t{1} << 18;
// zstd's own default for streaming (--long=27). xz -9 needs 65 MiB.
constexpr int kLargestZstdWindowLog = 27;
constexpr std::uint64_t kLargestXzMemory = std::uint64_t{256} << 20;

// Graphs as text shrink to a tenth when they are compressed, the most regular ones to a fiftieth.
// What grows by more than this is a bomb: its lists would fill the memory, from a file of a few
// kilobytes.
constexpr std::uint64_t kLargestExpansion = 200;
constexpr std::uint64_t kAlwaysAllowedBytes = std::uint64_t{16} << 20;

class PlainStream final : public InputStream {
 public:
  PlainStream(std::string path, RawFile file)
      : InputStream(std::move(path), file.size()), file_(std::move(file)) {}
  Compression compression() const override { return Compression::None; }
  std::optional<std::uint64_t> known_size() const override { return file_.size(); }

 private:
  std::size_t produce(char* destination, std::size_t size) override {
    return file_.read(destination, size);
  }
  const RawFile* file() const override { return &file_; }
  void skip(std::uint64_t bytes) override { file_.skip(bytes); }
  RawFile file_;
};

// What the three decoders share: a buffer of compressed bytes, and where in the file it stands.
class CompressedStream : public InputStream {
 protected:
  CompressedStream(std::string path, RawFile file)
      : InputStream(std::move(path), file.size()),
        file_(std::move(file)),
        buffer_(static_cast<std::size_t>(
            std::clamp<std::uint64_t>(file_.size(), 1, kCompressedBuffer))) {}

  bool refill() {  // false at the end of the file
    available_ = file_.read(buffer_.data(), buffer_.size());
    next_ = buffer_.data();
    return available_ > 0;
  }
  [[noreturn]] void corrupt(const std::string& reason) const {
    throw refused_at_byte(path(), file_.offset() - available_,
                          fmt::format("{} data is damaged: {}", name_of(compression()), reason));
  }
  [[noreturn]] void truncated() const {
    throw refused_at_byte(path(), file_.offset(),
                          fmt::format("{} data ends early", name_of(compression())));
  }

  RawFile file_;
  std::vector<char> buffer_;
  const char* next_ = nullptr;
  std::size_t available_ = 0;
};

class GzipStream final : public CompressedStream {
 public:
  GzipStream(std::string path, RawFile file) : CompressedStream(std::move(path), std::move(file)) {
    if (inflateInit2(&decoder_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  ~GzipStream() override { inflateEnd(&decoder_); }
  Compression compression() const override { return Compression::Gzip; }

 private:
  std::size_t produce(char* destination, std::size_t size) override {
    std::size_t produced = 0;
    while (produced == 0) {
      if (available_ == 0 && !refill()) {
        if (inside_member_) truncated();
        return 0;
      }
      if (!inside_member_) {
        // Zero padding after a member is common (tape blocks); anything else must be another
        // member.
        if (members_ > 0 && *next_ == 0) {
          ++next_;
          --available_;
          continue;
        }
        inflateReset(&decoder_);
        inside_member_ = true;
      }
      decoder_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next_));
      decoder_.avail_in = static_cast<uInt>(available_);
      decoder_.next_out = reinterpret_cast<Bytef*>(destination);
      decoder_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, 1U << 30));
      const uInt room = decoder_.avail_out;
      const int status = inflate(&decoder_, Z_NO_FLUSH);
      next_ = reinterpret_cast<const char*>(decoder_.next_in);
      available_ = decoder_.avail_in;
      produced = room - decoder_.avail_out;
      if (status == Z_STREAM_END) {
        inside_member_ = false;
        ++members_;
      } else if (status == Z_MEM_ERROR) {
        throw std::bad_alloc();
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        corrupt(decoder_.msg != nullptr ? decoder_.msg : "unexpected data");
      }
    }
    return produced;
  }

  z_stream decoder_{};
  bool inside_member_ = false;
  std::uint64_t members_ = 0;
};

class ZstdStream final : public CompressedStream {
 public:
  ZstdStream(std::string path, RawFile file)
      : CompressedStream(std::move(path), std::move(file)), decoder_(ZSTD_createDCtx()) {
    if (decoder_ == nullptr) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(decoder_, ZSTD_d_windowLogMax, kLargestZstdWindowLog);
  }
  ~ZstdStream() override { ZSTD_freeDCtx(decoder_); }
  Compression compression() const override { return Compression::Zstd; }

 private:
  std::size_t produce(char* destination, std::size_t size) override {
    ZSTD_outBuffer out{destination, size, 0};
    while (out.pos == 0) {
      // With pending output the decoder works without new input.
      if (available_ == 0 && !flushing_ && !refill()) {
        if (inside_frame_) truncated();
        return 0;
      }
      ZSTD_inBuffer in{next_, available_, 0};
      const std::size_t status = ZSTD_decompressStream(decoder_, &out, &in);
      if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(status)) corrupt(ZSTD_getErrorName(status));
      next_ += in.pos;
      available_ -= in.pos;
      inside_frame_ = status != 0;
      flushing_ = inside_frame_ && out.pos == out.size;
    }
    return out.pos;
  }

  ZSTD_DCtx* decoder_;
  bool inside_frame_ = false;
  bool flushing_ = false;
};

class XzStream final : public CompressedStream {
 public:
  XzStream(std::string path, RawFile file) : CompressedStream(std::move(path), std::move(file)) {
    if (lzma_stream_decoder(&decoder_, kLargestXzMemory, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  ~XzStream() override { lzma_end(&decoder_); }
  Compression compression() const override { return Compression::Xz; }

 private:
  std::size_t produce(char* destination, std::size_t size) override {
    decoder_.next_out = reinterpret_cast<std::uint8_t*>(destination);
    decoder_.avail_out = size;
    while (!done_ && decoder_.avail_out == size) {
      const bool at_end = available_ == 0 && !refill();
      decoder_.next_in = reinterpret_cast<const std::uint8_t*>(next_);
      decoder_.avail_in = available_;
      const lzma_ret status = lzma_code(&decoder_, at_end ? LZMA_FINISH : LZMA_RUN);
      next_ = reinterpret_cast<const char*>(decoder_.next_in);
      available_ = decoder_.avail_in;
      switch (status) {
        case LZMA_OK:
          break;
        case LZMA_STREAM_END:
          done_ = true;
          break;
        case LZMA_BUF_ERROR:
          truncated();
        case LZMA_MEM_ERROR:
          throw std::bad_alloc();
        case LZMA_MEMLIMIT_ERROR:
          corrupt("the dictionary that it asks for is above 256 MiB");
        default:
          corrupt("unexpected data");
      }
    }
    return size - decoder_.avail_out;
  }

  lzma_stream decoder_ = LZMA_STREAM_INIT;
  bool done_ = false;
};

}  // namespace

std::unique_ptr<InputStream> InputStream::open(const std::string& path) {
  RawFile file(path);
  char magic[6] = {};
  const std::size_t got = file.read(magic, sizeof magic);
  file.rewind();
  const auto begins_with = [&](std::string_view bytes) {
    return got >= bytes.size() && std::memcmp(magic, bytes.data(), bytes.size()) == 0;
  };
  if (begins_with("\x1f\x8b")) return std::make_unique<GzipStream>(path, std::move(file));
  const bool skippable = got >= 4 && (magic[0] & 0xF0) == 0x50 && begins_with({magic, 1}) &&
                         std::memcmp(magic + 1, "\x2A\x4D\x18", 3) == 0;
  if (begins_with("\x28\xB5\x2F\xFD") || skippable) {
    return std::make_unique<ZstdStream>(path, std::move(file));
  }
  if (begins_with({"\xFD"
                   "7zXZ\0",
                   6}))
    return std::make_unique<XzStream>(path, std::move(file));
  return std::make_unique<PlainStream>(path, std::move(file));
}

std::size_t InputStream::read(char* destination, std::size_t size) {
  std::size_t total = std::min(size, pushed_back_.size() - pushed_back_used_);
  if (total > 0) {
    std::memcpy(destination, pushed_back_.data() + pushed_back_used_, total);
    pushed_back_used_ += total;
  }
  while (total < size) {
    const std::size_t got = produce(destination + total, size - total);
    if (got == 0) break;
    total += got;
  }
  position_ += total;
  if (position_ > kAlwaysAllowedBytes && position_ / kLargestExpansion > stored_size_)
    refuse_expansion();
  return total;
}

std::size_t InputStream::read_in_parallel(char* destination, std::size_t size) {
  std::size_t got = 0;
  if (const RawFile* const file = plain()) {
    got = std::min<std::uint64_t>(size, file->size() - std::min(file->size(), position_));
    file->read_all_at(position_, destination, got);
    take(got);
  }
  // The end is where a file that has changed is noticed.
  return got == size ? got : got + read(destination + got, size - got);
}

void InputStream::take(std::uint64_t bytes) {
  skip(bytes);
  position_ += bytes;
}

void InputStream::refuse_expansion() const {
  throw Error(ExitCode::InputRefused,
              fmt::format("{} bytes decompress to more than {} times as many: decompress the file "
                          "yourself if that is meant",
                          stored_size_, kLargestExpansion),
              path_);
}

void InputStream::unread(std::string_view bytes) {
  pushed_back_ = std::string(bytes) + pushed_back_.substr(pushed_back_used_);
  pushed_back_used_ = 0;
  position_ -= bytes.size();
}

std::uint64_t decompressed_size(const std::string& path) {
  const auto stream = InputStream::open(path);
  if (const auto size = stream->known_size()) return *size;
  std::vector<char> buffer(std::size_t{1} << 20);
  while (stream->read(buffer.data(), buffer.size()) == buffer.size()) {
  }
  return stream->position();
}

Error refused_at_byte(const std::string& path, std::uint64_t byte, std::string message) {
  return {ExitCode::InputRefused, std::move(message), fmt::format("{}: byte {}", path, byte)};
}

Error refused_at_line(const std::string& path, std::uint64_t line, std::string message) {
  return {ExitCode::InputRefused, std::move(message),
          line == 0 ? path : fmt::format("{}:{}", path, line)};
}

}  // namespace vertigo::graph
