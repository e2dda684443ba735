#include "core/io/hdf5/hdf5_channel.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/common/byte_reader.hpp"
#include "core/io/hdf5/hdf5_start.hpp"
#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope {
namespace {

constexpr int kLookMs = 50;  // how often to look whether to stop
// The helper ends itself after seconds of computing; this is for disks that do not answer.
constexpr std::chrono::seconds kLongestWait{60};
constexpr int kLooksAtEnd = 500;

class HelperChannel : public Hdf5Channel {
 public:
  HelperChannel(std::filesystem::path path, int socket, pid_t helper, std::stop_token stop)
      : path_(std::move(path)), socket_(socket), helper_(helper), stop_(std::move(stop)) {}
  ~HelperChannel() override { end_helper(); }
  HelperChannel(const HelperChannel&) = delete;
  HelperChannel& operator=(const HelperChannel&) = delete;

  Result<std::vector<std::uint8_t>> ask(const std::vector<std::uint8_t>& request) override {
    if (!request.empty()) {
      ByteWriter length;
      length.number(request.size(), 4);
      if (Status sent = send(length.bytes()); !sent) return sent.error();
      if (Status sent = send(request); !sent) return sent.error();
    }
    std::array<std::uint8_t, 4> head{};
    if (Status got = receive(head.data(), head.size()); !got) return got.error();
    const std::uint64_t bytes = ByteReader(head).number(4);
    if (bytes == 0 || bytes > kLongestMessage) return helper_ended();
    std::vector<std::uint8_t> answer(bytes);
    if (Status got = receive(answer.data(), bytes); !got) return got.error();
    return answer;
  }

 private:
  Error helper_ended();
  Status send(const std::vector<std::uint8_t>& bytes);
  Status receive(std::uint8_t* to, std::size_t bytes);
  void end_helper();

  std::filesystem::path path_;
  int socket_;
  pid_t helper_;
  std::stop_token stop_;
};

void HelperChannel::end_helper() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (helper_ < 0) return;
  // The helper has no state to save, so it can be killed.
  ::kill(helper_, SIGKILL);
  while (::waitpid(helper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  helper_ = -1;
}

// Why the helper closed its end or said what makes no sense.
Error HelperChannel::helper_ended() {
  int state = 0;
  pid_t ended = 0;
  // Waits a little for the helper: it is about to end, or was compromised by the file.
  for (int looks = 0; ended == 0 && looks < kLooksAtEnd; ++looks) {
    if (looks > 0) ::poll(nullptr, 0, 1);
    ended = ::waitpid(helper_, &state, WNOHANG);
  }
  if (ended != 0) helper_ = -1;
  if (ended > 0 && WIFEXITED(state) && WEXITSTATUS(state) == kNotLoaded) {
    return hdf5_program_error(path_, ENOMEM);
  }
  if (ended > 0 && WIFSIGNALED(state)) {
    switch (WTERMSIG(state)) {
      case SIGPROF:
        return {"is damaged: following its structure comes to no end", path_.string(), kGetAgain};
      case SIGKILL:
        return {"the process that reads its structure was killed", path_.string(),
                "close other data if memory is short, and open it again"};
      default:
        break;
    }
  }
  return {"is damaged: its structure leads out of the file", path_.string(), kGetAgain};
}

Status HelperChannel::send(const std::vector<std::uint8_t>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    // Requests are short and the helper reads: this does not wait for long.
    const ssize_t put = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return helper_ended();
    done += static_cast<std::size_t>(put);
  }
  return {};
}

Status HelperChannel::receive(std::uint8_t* to, std::size_t bytes) {
  const auto latest = std::chrono::steady_clock::now() + kLongestWait;
  while (bytes > 0) {
    if (stop_.stop_requested()) return cancelled_error();
    if (std::chrono::steady_clock::now() > latest) {
      return Error{"its structure could not be read within a minute", path_.string(),
                   "check the disk or network that it lies on"};
    }
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kLookMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::recv(socket_, to, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return stop_.stop_requested() ? cancelled_error() : helper_ended();
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return {};
}

std::atomic<Hdf5ChannelMaker>& maker_in_use() {
  static std::atomic<Hdf5ChannelMaker> maker = start_hdf5_helper;
  return maker;
}

}  // namespace

Result<std::unique_ptr<Hdf5Channel>> start_hdf5_helper(const RegularFile& file, std::uint64_t bytes,
                                                       const std::stop_token& stop) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return hdf5_program_error(file.path(), errno);
  }
  const auto helper = start_hdf5_program(file, bytes, ends[1]);
  ::close(ends[1]);
  if (!helper) {
    ::close(ends[0]);
    return helper.error();
  }
  return std::unique_ptr<Hdf5Channel>(
      std::make_unique<HelperChannel>(file.path(), ends[0], *helper, stop));
}

void use_hdf5_channel(Hdf5ChannelMaker maker) { maker_in_use() = maker; }

Result<std::unique_ptr<Hdf5Channel>> open_hdf5_channel(const RegularFile& file, std::uint64_t bytes,
                                                       const std::stop_token& stop) {
  return maker_in_use().load()(file, bytes, stop);
}

}  // namespace aprscope
