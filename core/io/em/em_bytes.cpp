#include "core/io/em/em_bytes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>
#include <vector>

#include <bzlib.h>
#include <zlib.h>

#include "core/base/regular_file.hpp"

namespace aprscope {
namespace {

constexpr std::size_t kPiece = std::size_t{256} << 10U;

class PlainBytes : public EmBytes {
 public:
  PlainBytes(RegularFile file, std::uint64_t bytes)
      : EmBytes(false, bytes), file_(std::move(file)) {}
  Result<std::size_t> read_at(std::uint64_t offset, void* out, std::size_t bytes,
                              const JobContext& context) override {
    if (context.stop_requested()) return cancelled_error();
    return file_.read_at(offset, out, bytes);
  }

 private:
  RegularFile file_;
};

// Zlib's stream of a gzip file. Members that follow each other are one stream of bytes.
class Gunzip {
 public:
  Gunzip() { ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
  ~Gunzip() {
    if (ready_) inflateEnd(&stream_);
  }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }
  void give(std::uint8_t* in, std::size_t bytes) {
    stream_.next_in = in;
    stream_.avail_in = static_cast<uInt>(bytes);
  }
  [[nodiscard]] std::size_t unread() const { return stream_.avail_in; }
  // Unpacks bytes; sets `ended` when a member is complete. False: damaged.
  bool step(std::uint8_t* out, std::size_t room, std::size_t& made, bool& ended) {
    stream_.next_out = out;
    stream_.avail_out = static_cast<uInt>(room);
    const int state = inflate(&stream_, Z_NO_FLUSH);
    made = room - stream_.avail_out;
    ended = state == Z_STREAM_END;
    return state == Z_OK || ended || state == Z_BUF_ERROR;
  }
  bool restart() { return inflateReset(&stream_) == Z_OK; }

 private:
  z_stream stream_{};
  bool ready_ = false;
};

class Bunzip2 {
 public:
  Bunzip2() { ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK; }
  ~Bunzip2() {
    if (ready_) BZ2_bzDecompressEnd(&stream_);
  }
  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;

  [[nodiscard]] bool ready() const { return ready_; }
  void give(std::uint8_t* in, std::size_t bytes) {
    stream_.next_in = reinterpret_cast<char*>(in);
    stream_.avail_in = static_cast<unsigned>(bytes);
  }
  [[nodiscard]] std::size_t unread() const { return stream_.avail_in; }
  bool step(std::uint8_t* out, std::size_t room, std::size_t& made, bool& ended) {
    stream_.next_out = reinterpret_cast<char*>(out);
    stream_.avail_out = static_cast<unsigned>(room);
    const int state = BZ2_bzDecompress(&stream_);
    made = room - stream_.avail_out;
    ended = state == BZ_STREAM_END;
    return state == BZ_OK || ended;
  }
  bool restart() {
    const auto in = std::pair(stream_.next_in, stream_.avail_in);
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
    stream_.next_in = in.first;
    stream_.avail_in = in.second;
    return ready_;
  }

 private:
  bz_stream stream_{};
  bool ready_ = false;
};

template <class Unpacker>
class PackedBytes : public EmBytes {
 public:
  PackedBytes(RegularFile file, std::uint64_t bytes)
      : EmBytes(true, bytes), file_(std::move(file)), in_(kPiece), scrap_(kPiece) {}

  Result<std::size_t> read_at(std::uint64_t offset, void* out, std::size_t bytes,
                              const JobContext& context) override {
    if (!unpacker_ || offset < at_) {
      unpacker_ = std::make_unique<Unpacker>();
      if (!unpacker_->ready()) throw std::bad_alloc();
      at_ = 0;
      file_at_ = 0;
      ended_ = false;
    }
    while (at_ < offset) {
      const auto skip = std::min<std::uint64_t>(offset - at_, scrap_.size());
      auto got = unpack(scrap_.data(), skip, context);
      if (!got) return got;
      if (*got < skip) return std::size_t{0};
    }
    return unpack(static_cast<std::uint8_t*>(out), bytes, context);
  }

 private:
  Result<std::size_t> unpack(std::uint8_t* out, std::size_t bytes, const JobContext& context) {
    std::size_t done = 0;
    while (done < bytes && !ended_) {
      if (context.stop_requested()) return cancelled_error();
      if (unpacker_->unread() == 0) {
        auto got = file_.read_at(file_at_, in_.data(), in_.size());
        if (!got) return got;
        if (*got == 0) break;  // cut off: fewer bytes than were asked for
        file_at_ += *got;
        unpacker_->give(in_.data(), *got);
      }
      std::size_t made = 0;
      bool member_ended = false;
      const std::size_t room = std::min(bytes - done, kPiece);
      if (!unpacker_->step(out + done, room, made, member_ended)) {
        return Error{"holds packed data that is damaged after " + std::to_string(at_) + " bytes",
                     file_.path().string(), "get the file again from its source"};
      }
      done += made;
      at_ += made;
      if (!member_ended) continue;
      if (Status next = next_member(); !next) return next.error();
    }
    return done;
  }

  // After a member follows another one, or padding, which is ignored.
  Status next_member() {
    std::array<char, 2> head{};
    const std::uint64_t begin = file_at_ - unpacker_->unread();
    const auto got = file_.read_at(begin, head.data(), head.size());
    if (!got) return got.error();
    const bool gzip = std::memcmp(head.data(), "\x1f\x8b", 2) == 0;
    const bool bzip2 = std::memcmp(head.data(), "BZ", 2) == 0;
    ended_ = *got < 2 || !(gzip || bzip2);
    if (!ended_ && !unpacker_->restart()) throw std::bad_alloc();
    return {};
  }

  RegularFile file_;
  std::vector<std::uint8_t> in_;
  std::vector<std::uint8_t> scrap_;
  std::unique_ptr<Unpacker> unpacker_;
  std::uint64_t file_at_ = 0;
  std::uint64_t at_ = 0;
  bool ended_ = false;
};

}  // namespace

Result<std::unique_ptr<EmBytes>> EmBytes::open(const std::filesystem::path& path) {
  auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  std::array<char, 4> head{};
  const auto got = file->read_at(0, head.data(), head.size());
  if (!got) return got.error();
  using Opened = std::unique_ptr<EmBytes>;
  if (std::memcmp(head.data(), "\x1f\x8b\x08", 3) == 0) {
    return Opened(std::make_unique<PackedBytes<Gunzip>>(*std::move(file), state->bytes));
  }
  if (std::memcmp(head.data(), "BZh", 3) == 0) {
    return Opened(std::make_unique<PackedBytes<Bunzip2>>(*std::move(file), state->bytes));
  }
  return Opened(std::make_unique<PlainBytes>(*std::move(file), state->bytes));
}

}  // namespace aprscope
