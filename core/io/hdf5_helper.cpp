#include "core/io/hdf5_helper.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <unistd.h>

#include "core/io/confine.hpp"
#include "core/io/hdf5_library.hpp"
#include "core/io/hdf5_wire.hpp"

namespace aprscope {
namespace {

// Beyond what the program had when it forked. Structures of sound files take a few MB.
constexpr std::uint64_t kMemory = 1U << 30U;
// Of computing, a request. A sound file of 500,000 names takes a third of it.
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

std::vector<std::uint8_t> refusal(const std::string& reason) {
  ByteWriter out;
  out.number(kRefused, 1);
  out.text(reason);
  return out.bytes();
}

template <class T>
std::vector<std::uint8_t> answer(const Result<T>& result) {
  if (!result) return refusal(result.error().what);
  ByteWriter out;
  out.number(kDone, 1);
  put(out, *result);
  return out.bytes();
}

std::vector<std::uint8_t> kind_answer(const Result<std::optional<Hdf5ObjectKind>>& kind) {
  if (!kind) return refusal(kind.error().what);
  ByteWriter out;
  out.number(kDone, 1);
  out.number(*kind ? static_cast<std::uint64_t>(**kind) + 1 : 0, 1);
  return out.bytes();
}

std::vector<std::uint8_t> respond(Hdf5Library& library, ByteReader in) {
  const auto word = static_cast<Hdf5Word>(in.number(1));
  const std::string path = in.text();
  switch (word) {
    case Hdf5Word::kind:
      return kind_answer(library.kind(path));
    case Hdf5Word::children:
      return answer(library.children(path));
    case Hdf5Word::dataset:
      return answer(library.dataset(path));
    case Hdf5Word::attributes:
      return answer(library.attributes(path));
    case Hdf5Word::places: {
      std::vector<std::uint64_t> first, last;
      get(in, first);
      get(in, last);
      return answer(library.places(path, first, last));
    }
  }
  return refusal("not understood");
}

// Until the other end is closed or something cannot be said.
void converse(int file, std::uint64_t bytes, int socket) {
  end_after(kSeconds);
  auto library = Hdf5Library::open(file, bytes);
  if (!send(socket, library ? std::vector<std::uint8_t>{kDone} : refusal(library.error().what)) ||
      !library) {
    return;
  }
  std::vector<std::uint8_t> request;
  while (true) {
    std::uint8_t length[4];
    if (!read_all(socket, length, sizeof length)) return;
    request.resize(std::min<std::uint64_t>(ByteReader(length).number(4), kLongestMessage));
    if (!read_all(socket, request.data(), request.size())) return;
    end_after(kSeconds);
    if (!send(socket, respond(*library, ByteReader(request)))) return;
  }
}

}  // namespace

void serve_hdf5(int file, std::uint64_t bytes, int socket) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  confine(file, socket, kMemory);
  try {
    converse(file, bytes, socket);
  } catch (const std::bad_alloc&) {
    send(socket, refusal("its structure takes more memory than there is"));
  }
  // Nothing is closed: what a damaged file left behind is best left alone, and so is what the
  // program had open when it forked.
  ::_exit(0);
}

}  // namespace aprscope
