#include "core/io/hdf5_reader.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/io/hdf5_handle.hpp"
#include "core/io/hdf5_helper.hpp"

namespace aprscope {
namespace {

constexpr int kLookMs = 50;  // how often to look whether to stop
// The helper ends itself after seconds of computing; this is for disks that do not answer.
constexpr std::chrono::seconds kLongestWait{60};
constexpr int kLooksAtEnd = 500;
constexpr const char* kGetAgain = "get the file again from its source";

Error no_helper(const std::filesystem::path& path, int code) {
  return {std::string("cannot be opened: the process that reads HDF5 cannot be started (") +
              std::strerror(code) + ")",
          path.string(), "close other programs or data"};
}

struct Helper {
  int socket = -1;
  pid_t process = -1;
};

Result<Helper> start_helper(const RegularFile& file, std::uint64_t bytes,
                            const std::stop_token& stop) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    return no_helper(file.path(), errno);
  }
  // Nobody may be inside the library, whose state the helper inherits. Whoever is may be writing to
  // a disk that does not answer.
  std::unique_lock lock(hdf5_mutex(), std::defer_lock);
  while (!lock.try_lock_for(std::chrono::milliseconds(kLookMs))) {
    if (!stop.stop_requested()) continue;
    ::close(ends[0]);
    ::close(ends[1]);
    return cancelled_error();
  }
  const pid_t helper = ::fork();
  if (helper == 0) serve_hdf5(file.get(), bytes, ends[1]);
  const int code = errno;
  lock.unlock();
  ::close(ends[1]);
  if (helper < 0) {
    ::close(ends[0]);
    return no_helper(file.path(), code);
  }
  return Helper{ends[0], helper};
}

std::uint64_t chunks_between(const std::vector<std::uint64_t>& first,
                             const std::vector<std::uint64_t>& last) {
  std::uint64_t n = 1;
  for (std::size_t d = 0; d < first.size(); ++d) {
    if (__builtin_mul_overflow(n, last[d] - first[d] + 1, &n)) return UINT64_MAX;
  }
  return n;
}

}  // namespace

Result<std::shared_ptr<Hdf5Reader>> Hdf5Reader::open(const std::filesystem::path& path,
                                                     const std::stop_token& stop) {
  auto file = open_regular(path);
  if (!file) return file.error();
  const auto state = file->state();
  if (!state) return state.error();
  const auto helper = start_helper(*file, state->bytes, stop);
  if (!helper) return helper.error();
  const std::shared_ptr<Hdf5Reader> reader(
      new Hdf5Reader(*std::move(file), state->bytes, helper->socket, helper->process, stop));
  const auto greeting = reader->listen("");
  if (!greeting) return greeting.error();
  return reader;
}

Hdf5Reader::Hdf5Reader(RegularFile file, std::uint64_t file_bytes, int socket, pid_t helper,
                       const std::stop_token& stop)
    : file_(std::move(file)),
      file_bytes_(file_bytes),
      socket_(socket),
      helper_(helper),
      stop_(stop) {}

Hdf5Reader::~Hdf5Reader() { end_helper(); }

void Hdf5Reader::end_helper() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (helper_ < 0) return;
  // It holds nothing that would have to be put away.
  ::kill(helper_, SIGKILL);
  while (::waitpid(helper_, nullptr, 0) < 0 && errno == EINTR) {
  }
  helper_ = -1;
}

std::string Hdf5Reader::where(const std::string& object) const {
  return object.empty() ? path().string() : path().string() + ":" + object;
}

Status Hdf5Reader::status() const {
  const std::scoped_lock lock(failing_);
  return failure_;
}

void Hdf5Reader::fail(Error error) {
  const std::scoped_lock lock(failing_);
  if (failure_) failure_ = std::move(error);
}

Status Hdf5Reader::failed(Error error) {
  fail(error);
  end_helper();
  return error;
}

// Why the helper closed its end or said what makes no sense.
Error Hdf5Reader::helper_ended() {
  int state = 0;
  pid_t ended = 0;
  // It is about to end, or it is no longer the program that it was.
  for (int looks = 0; ended == 0 && looks < kLooksAtEnd; ++looks) {
    if (looks > 0) ::poll(nullptr, 0, 1);
    ended = ::waitpid(helper_, &state, WNOHANG);
  }
  if (ended != 0) helper_ = -1;
  if (ended > 0 && WIFSIGNALED(state)) {
    switch (WTERMSIG(state)) {
      case SIGPROF:
        return {"is damaged: following its structure comes to no end", path().string(), kGetAgain};
      case SIGKILL:
        return {"the process that reads its structure was killed", path().string(),
                "close other data if memory is short, and open it again"};
      default:
        break;
    }
  }
  return {"is damaged: its structure leads out of the file", path().string(), kGetAgain};
}

Status Hdf5Reader::send(const std::vector<std::uint8_t>& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    // Requests are short and the helper reads: this does not wait for long.
    const ssize_t put = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return failed(helper_ended());
    done += static_cast<std::size_t>(put);
  }
  return {};
}

Status Hdf5Reader::receive(std::uint8_t* to, std::size_t bytes) {
  const auto latest = std::chrono::steady_clock::now() + kLongestWait;
  while (bytes > 0) {
    if (stop_.stop_requested()) return failed(cancelled_error());
    if (std::chrono::steady_clock::now() > latest) {
      return failed({"its structure could not be read within a minute", path().string(),
                     "check the disk or network that it lies on"});
    }
    pollfd waiting{socket_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, kLookMs);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    const ssize_t got = ::recv(socket_, to, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return failed(stop_.stop_requested() ? cancelled_error() : helper_ended());
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return {};
}

Result<std::vector<std::uint8_t>> Hdf5Reader::listen(const std::string& object) {
  std::array<std::uint8_t, 4> head{};
  if (Status got = receive(head.data(), head.size()); !got) return got.error();
  const std::uint64_t bytes = ByteReader(head).number(4);
  if (bytes == 0 || bytes > kLongestMessage) return failed(helper_ended()).error();
  std::vector<std::uint8_t> answer(bytes);
  if (Status got = receive(answer.data(), bytes); !got) return got.error();
  if (answer.front() == kDone) return answer;
  ByteReader in(answer);
  in.number(1);
  const std::string reason = in.text();
  if (object.empty()) {
    return Error{"cannot be read as HDF5 (" + reason + ")", path().string(),
                 "check that the file is complete"};
  }
  return Error{reason, where(object), "the file may be damaged: get it again from its source"};
}

Result<std::vector<std::uint8_t>> Hdf5Reader::ask(Hdf5Word word, const std::string& object,
                                                  const ByteWriter& arguments) {
  const std::scoped_lock lock(asking_);
  if (Status fine = status(); !fine && helper_ < 0) return fine.error();
  ByteWriter body;
  body.number(static_cast<std::uint8_t>(word), 1);
  body.text(object);
  body.append(arguments.bytes());
  ByteWriter request;
  request.number(body.bytes().size(), 4);
  request.append(body.bytes());
  if (Status sent = send(request.bytes()); !sent) return sent.error();
  return listen(object.empty() ? "/" : object);
}

template <class T>
Result<T> Hdf5Reader::asked(Hdf5Word word, const std::string& object, const ByteWriter& arguments) {
  const auto answer = ask(word, object, arguments);
  if (!answer) return answer.error();
  ByteReader in(*answer);
  in.number(1);
  T out;
  get(in, out);
  if (!in.valid() || in.left() != 0) {
    return Error{"is damaged: its description makes no sense", where(object), kGetAgain};
  }
  return out;
}

Result<std::optional<Hdf5ObjectKind>> Hdf5Reader::kind(const std::string& object) {
  const auto answer = ask(Hdf5Word::kind, object);
  if (!answer) return answer.error();
  ByteReader in(*answer);
  in.number(1);
  const std::uint64_t kind = in.number(1);
  if (!in.valid() || kind > static_cast<std::uint64_t>(Hdf5ObjectKind::unreadable) + 1) {
    return Error{"is damaged: its description makes no sense", where(object), kGetAgain};
  }
  if (kind == 0) return std::optional<Hdf5ObjectKind>();
  return std::optional(static_cast<Hdf5ObjectKind>(kind - 1));
}

Result<std::vector<Hdf5Child>> Hdf5Reader::children(const std::string& group) {
  return asked<std::vector<Hdf5Child>>(Hdf5Word::children, group);
}

Result<Hdf5Dataset> Hdf5Reader::dataset(const std::string& object) {
  return asked<Hdf5Dataset>(Hdf5Word::dataset, object);
}

Result<std::optional<Hdf5Attribute>> Hdf5Reader::attribute(const std::string& object,
                                                           const std::string& name) {
  const std::scoped_lock lock(keeping_);
  auto kept = attributes_.find(object);
  if (kept == attributes_.end()) {
    auto all = asked<std::vector<Hdf5Attribute>>(Hdf5Word::attributes, object);
    if (!all) return all.error();
    kept = attributes_.emplace(object, *std::move(all)).first;
  }
  for (const Hdf5Attribute& attribute : kept->second) {
    if (attribute.name != name) continue;
    if (attribute.wrong.empty()) return std::optional(attribute);
    return Error{"its attribute " + name + " cannot be read (" + attribute.wrong + ")",
                 where(object), kGetAgain};
  }
  return std::optional<Hdf5Attribute>();
}

Result<std::vector<Hdf5Place>> Hdf5Reader::places(const std::string& dataset,
                                                  const std::vector<std::uint64_t>& first,
                                                  const std::vector<std::uint64_t>& last) {
  const std::uint64_t wanted = chunks_between(first, last);
  if (wanted > kMostPlaces) {
    // Halves along the slowest dimension that can be halved keep the order.
    std::size_t d = 0;
    while (first[d] == last[d]) ++d;
    std::vector<std::uint64_t> middle = last, next = first;
    middle[d] = first[d] + (last[d] - first[d]) / 2;
    next[d] = middle[d] + 1;
    auto head = places(dataset, first, middle);
    if (!head) return head;
    auto tail = places(dataset, next, last);
    if (!tail) return tail;
    head->insert(head->end(), tail->begin(), tail->end());
    return head;
  }
  ByteWriter arguments;
  put(arguments, first);
  put(arguments, last);
  auto out = asked<std::vector<Hdf5Place>>(Hdf5Word::places, dataset, arguments);
  if (!out) return out;
  if (out->size() != wanted) {
    return Error{"is damaged: its chunks make no sense", where(dataset), kGetAgain};
  }
  for (const Hdf5Place& place : *out) {
    if (place.address == kNowhere && place.bytes == 0) continue;
    if (place.bytes == 0 || place.bytes > file_bytes_ ||
        place.address > file_bytes_ - place.bytes) {
      return Error{"is damaged: a chunk lies outside the file", where(dataset), kGetAgain};
    }
  }
  return out;
}

}  // namespace aprscope
