#include "core/io/hdf5/hdf5_helper.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <unistd.h>

#include "core/io/common/confine.hpp"
#include "core/io/hdf5/hdf5_responder.hpp"
#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope {
namespace {

// Memory beyond what the helper has at start. Structures of sound files take a few MB.
constexpr std::uint64_t kMemory = 1U << 30U;
// Seconds of computing for a request. A sound file of 500,000 names takes a third of it.
constexpr double kSeconds = 1.5;

bool read_all(int fd, std::uint8_t* to, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t got = ::read(fd, to, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    to += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int fd, const std::uint8_t* from, std::size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = ::write(fd, from, bytes);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    from += put;
    bytes -= static_cast<std::size_t>(put);
  }
  return true;
}

bool send(int socket, const std::vector<std::uint8_t>& bytes) {
  ByteWriter length;
  length.number(bytes.size(), 4);
  return bytes.size() <= kLongestMessage &&
         write_all(socket, length.bytes().data(), length.bytes().size()) &&
         write_all(socket, bytes.data(), bytes.size());
}

// Answers requests until the other end is closed or an answer cannot be sent.
void converse(int file, std::uint64_t bytes, int socket) {
  end_after(kSeconds);
  // Never destroyed: closing what a damaged file left behind could crash.
  Hdf5Responder& responder = *new Hdf5Responder;
  if (!send(socket, responder.open(file, bytes)) || !responder.is_open()) return;
  std::vector<std::uint8_t> request;
  while (true) {
    std::uint8_t length[4];
    if (!read_all(socket, length, sizeof length)) return;
    request.resize(std::min<std::uint64_t>(ByteReader(length).number(4), kLongestMessage));
    if (!read_all(socket, request.data(), request.size())) return;
    end_after(kSeconds);
    if (!send(socket, responder.respond(request))) return;
  }
}

}  // namespace

void serve_hdf5(int file, std::uint64_t bytes, int socket) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  confine(file, socket, kMemory);
  try {
    converse(file, bytes, socket);
  } catch (const std::bad_alloc&) {
    send(socket, Hdf5Responder::out_of_memory());
  }
  // Without clean-up: destroying what a damaged file left behind could crash.
  ::_exit(0);
}

}  // namespace aprscope
