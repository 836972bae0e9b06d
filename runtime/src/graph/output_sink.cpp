#include "output_sink.h"

#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "vertigo/core/error.h"

namespace vertigo::graph {

namespace {
constexpr std::size_t kEncodedBuffer = std::size_t{1} << 18;
constexpr int kGzipLevel = 6;
constexpr int kZstdLevel = 3;
}  // namespace

// One of the two compressors; feed() passes on what comes out.
struct OutputSink::Encoder {
  virtual ~Encoder() = default;
  virtual void feed(AtomicFile& file, const char* data, std::size_t size, bool last) = 0;
};

namespace {

template <class Base>
class GzipEncoder final : public Base {
 public:
  GzipEncoder() : buffer_(kEncodedBuffer) {
    if (deflateInit2(&state_, kGzipLevel, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipEncoder() override { deflateEnd(&state_); }
  void feed(AtomicFile& file, const char* data, std::size_t size, bool last) override {
    do {
      const std::size_t step = std::min<std::size_t>(size, 1U << 30);
      state_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data));
      state_.avail_in = static_cast<uInt>(step);
      data += step;
      size -= step;
      do {
        state_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
        state_.avail_out = static_cast<uInt>(buffer_.size());
        if (deflate(&state_, last && size == 0 ? Z_FINISH : Z_NO_FLUSH) == Z_STREAM_ERROR)
          throw Error(ExitCode::OutputFailed, "the compressor failed", file.path());
        file.write(buffer_.data(), buffer_.size() - state_.avail_out);
      } while (state_.avail_out == 0);
    } while (size > 0);
  }

 private:
  z_stream state_{};
  std::vector<char> buffer_;
};

template <class Base>
class ZstdEncoder final : public Base {
 public:
  ZstdEncoder() : state_(ZSTD_createCCtx()), buffer_(kEncodedBuffer) {
    if (state_ == nullptr) throw std::bad_alloc();
    ZSTD_CCtx_setParameter(state_, ZSTD_c_compressionLevel, kZstdLevel);
    ZSTD_CCtx_setParameter(state_, ZSTD_c_checksumFlag, 1);
  }
  ~ZstdEncoder() override { ZSTD_freeCCtx(state_); }
  void feed(AtomicFile& file, const char* data, std::size_t size, bool last) override {
    ZSTD_inBuffer in{data, size, 0};
    std::size_t pending = 0;
    do {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      pending = ZSTD_compressStream2(state_, &out, &in, last ? ZSTD_e_end : ZSTD_e_continue);
      if (ZSTD_getErrorCode(pending) == ZSTD_error_memory_allocation) throw std::bad_alloc();
      if (ZSTD_isError(pending)) {
        throw Error(ExitCode::OutputFailed, ZSTD_getErrorName(pending), file.path());
      }
      file.write(buffer_.data(), out.pos);
    } while (last ? pending != 0 : in.pos < in.size);
  }

 private:
  ZSTD_CCtx* state_;
  std::vector<char> buffer_;
};

}  // namespace

OutputSink::OutputSink(const std::string& path, OverwriteRule rule) : file_(path, rule) {
  if (path.ends_with(".gz")) encoder_ = std::make_unique<GzipEncoder<Encoder>>();
  if (path.ends_with(".zst")) encoder_ = std::make_unique<ZstdEncoder<Encoder>>();
}

OutputSink::~OutputSink() = default;

void OutputSink::write(const void* data, std::size_t size) {
  if (encoder_) {
    encoder_->feed(file_, static_cast<const char*>(data), size, false);
  } else {
    file_.write(data, size);
  }
}

void OutputSink::finish() {
  if (encoder_) encoder_->feed(file_, nullptr, 0, true);
  encoder_.reset();
  file_.finish();
}

void OutputSink::commit() {
  finish();
  file_.commit();
}

}  // namespace vertigo::graph
