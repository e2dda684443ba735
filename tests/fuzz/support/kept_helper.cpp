#include "tests/fuzz/support/kept_helper.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>

#include <fcntl.h>
#include <hdf5.h>
#include <sanitizer/common_interface_defs.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/common/confine.hpp"
#include "core/io/hdf5/hdf5_channel.hpp"
#include "core/io/hdf5/hdf5_responder.hpp"
#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope::fuzz {
namespace {

// Of computing, a request: as for the helper of the program, and what the sanitizer takes.
constexpr double kSeconds = 3.0;
// What the library forgets to free is given back now and then.
constexpr int kFilesAHelper = 2000;

enum class Act : std::uint32_t { open, ask, close };

// Comes before a request; with it the descriptor of a file that is opened.
struct Head {
  std::uint32_t channel = 0;
  Act act = Act::ask;
  std::uint64_t file_bytes = 0;
  std::uint64_t request_bytes = 0;
};

bool read_all(int fd, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::read(fd, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int fd, const void* from, std::size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t put = ::send(fd, at, bytes, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    bytes -= static_cast<std::size_t>(put);
  }
  return true;
}

// A message whose control part can hold one descriptor.
struct WithDescriptor {
  explicit WithDescriptor(Head& head) : part{&head, sizeof head} {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
  }
  iovec part;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> room{};
  msghdr message{};
};

bool send_head(int socket, Head head, int file) {
  if (file < 0) return write_all(socket, &head, sizeof head);
  WithDescriptor out(head);
  cmsghdr* const control = CMSG_FIRSTHDR(&out.message);
  control->cmsg_level = SOL_SOCKET;
  control->cmsg_type = SCM_RIGHTS;
  control->cmsg_len = CMSG_LEN(sizeof file);
  std::memcpy(CMSG_DATA(control), &file, sizeof file);
  return ::sendmsg(socket, &out.message, MSG_NOSIGNAL) == sizeof head;
}

bool receive_head(int socket, Head& head, int& file) {
  WithDescriptor in(head);
  file = -1;
  if (::recvmsg(socket, &in.message, MSG_WAITALL | MSG_CMSG_CLOEXEC) != sizeof head) return false;
  const cmsghdr* const control = CMSG_FIRSTHDR(&in.message);
  if (control != nullptr && control->cmsg_type == SCM_RIGHTS) {
    std::memcpy(&file, CMSG_DATA(control), sizeof file);
  }
  return true;
}

struct OpenFile {
  int descriptor = -1;
  std::unique_ptr<Hdf5Responder> responder;
};

bool answer(int socket, const std::vector<std::uint8_t>& bytes) {
  const std::uint64_t length = bytes.size();
  return write_all(socket, &length, sizeof length) && write_all(socket, bytes.data(), length);
}

// In the helper.
[[noreturn]] void serve(int socket) {
  __sanitizer_set_death_callback(nullptr);  // the fuzzer's, which takes its input for guilty
  for (const int number : {SIGALRM, SIGPROF, SIGINT, SIGTERM}) std::signal(number, SIG_DFL);
  if (const char* log = std::getenv("APRSCOPE_FUZZ_HELPER_LOG")) {
    const int file = ::open(log, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) ::dup2(file, STDERR_FILENO);
  }
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  std::map<std::uint32_t, OpenFile> files;
  std::vector<std::uint8_t> request;
  Head head;
  int descriptor = -1;
  while (receive_head(socket, head, descriptor)) {
    request.resize(head.request_bytes);
    if (!read_all(socket, request.data(), request.size())) break;
    end_after(kSeconds);
    OpenFile& file = files[head.channel];
    try {
      if (head.act == Act::open) {
        file = {descriptor, std::make_unique<Hdf5Responder>()};
        if (!answer(socket, file.responder->open(descriptor, head.file_bytes))) break;
      } else if (head.act == Act::ask) {
        if (!answer(socket, file.responder->respond(request))) break;
      } else {
        file.responder.reset();
        ::close(file.descriptor);
        files.erase(head.channel);
      }
    } catch (const std::bad_alloc&) {
      if (!answer(socket, Hdf5Responder::out_of_memory())) break;
    }
  }
  ::_exit(0);
}

// The helper that is kept; one for the whole program.
class Helper {
 public:
  std::mutex mutex;
  /// Changes with each start: what was open then is not any more.
  int generation = 0;

  /// False where none can be started.
  bool ready() {
    if (files_ >= kFilesAHelper && open_ == 0) end();
    if (socket_ >= 0) return true;
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    process_ = ::fork();
    if (process_ == 0) {
      ::close(ends[0]);
      serve(ends[1]);
    }
    ::close(ends[1]);
    if (process_ < 0) {
      ::close(ends[0]);
      return false;
    }
    socket_ = ends[0];
    ++generation;
    files_ = 0;
    open_ = 0;
    return true;
  }

  bool send(const Head& head, int file, const std::vector<std::uint8_t>& request) {
    if (send_head(socket_, head, file) && write_all(socket_, request.data(), request.size())) {
      files_ += head.act == Act::open ? 1 : 0;
      open_ += head.act == Act::open ? 1 : head.act == Act::close ? -1 : 0;
      return true;
    }
    end();
    return false;
  }

  bool receive(std::vector<std::uint8_t>& answer) {
    std::uint64_t length = 0;
    if (read_all(socket_, &length, sizeof length) && length > 0 && length <= kLongestMessage) {
      answer.resize(length);
      if (read_all(socket_, answer.data(), length)) return true;
    }
    end();
    return false;
  }

 private:
  void end() {
    ::close(socket_);
    socket_ = -1;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    ++generation;
  }

  int socket_ = -1;
  pid_t process_ = -1;
  int files_ = 0;
  int open_ = 0;
};

Helper& helper() {
  static auto* const one = new Helper;  // the helper sees by itself when the program has ended
  return *one;
}

class KeptChannel : public Hdf5Channel {
 public:
  KeptChannel(const RegularFile& file, std::uint64_t bytes) : file_(file), bytes_(bytes) {
    static std::uint32_t last = 0;
    const std::scoped_lock lock(helper().mutex);
    id_ = ++last;
  }
  ~KeptChannel() override {
    const std::scoped_lock lock(helper().mutex);
    if (helper().generation == generation_) helper().send({id_, Act::close, 0, 0}, -1, {});
  }
  KeptChannel(const KeptChannel&) = delete;
  KeptChannel& operator=(const KeptChannel&) = delete;

  Result<std::vector<std::uint8_t>> ask(const std::vector<std::uint8_t>& request) override {
    const std::scoped_lock lock(helper().mutex);
    const bool first = request.empty();
    if (first) {
      if (!helper().ready()) std::_Exit(2);
      generation_ = helper().generation;
    }
    std::vector<std::uint8_t> answer;
    const Head head{id_, first ? Act::open : Act::ask, bytes_, request.size()};
    if (helper().generation == generation_ &&
        helper().send(head, first ? file_.get() : -1, request) && helper().receive(answer)) {
      return answer;
    }
    return Error{"is damaged: its structure leads out of the file", file_.path().string(),
                 "get the file again from its source"};
  }

 private:
  const RegularFile& file_;
  std::uint64_t bytes_;
  std::uint32_t id_ = 0;
  int generation_ = -1;
};

Result<std::unique_ptr<Hdf5Channel>> ask_kept(const RegularFile& file, std::uint64_t bytes,
                                              const std::stop_token&) {
  return std::unique_ptr<Hdf5Channel>(std::make_unique<KeptChannel>(file, bytes));
}

}  // namespace

bool keep_hdf5_helper() {
  use_hdf5_channel(ask_kept);
  return true;
}

}  // namespace aprscope::fuzz
