#include "core/io/hdf5/hdf5_responder.hpp"

#include <optional>
#include <string>
#include <utility>

#include "core/io/common/byte_reader.hpp"
#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope {
namespace {

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

}  // namespace

std::vector<std::uint8_t> Hdf5Responder::open(int file, std::uint64_t bytes) {
  auto library = Hdf5Library::open(file, bytes);
  if (!library) return refusal(library.error().what);
  library_.emplace(*std::move(library));
  return {kDone};
}

std::vector<std::uint8_t> Hdf5Responder::respond(const std::vector<std::uint8_t>& request) {
  if (!library_) return refusal("it is not open");
  ByteReader in(request);
  const auto word = static_cast<Hdf5Word>(in.number(1));
  const std::string path = in.text();
  switch (word) {
    case Hdf5Word::kind:
      return kind_answer(library_->kind(path));
    case Hdf5Word::children:
      return answer(library_->children(path));
    case Hdf5Word::dataset:
      return answer(library_->dataset(path));
    case Hdf5Word::attributes:
      return answer(library_->attributes(path));
    case Hdf5Word::places: {
      std::vector<std::uint64_t> first, last;
      get(in, first);
      get(in, last);
      return answer(library_->places(path, first, last));
    }
  }
  return refusal("not understood");
}

std::vector<std::uint8_t> Hdf5Responder::out_of_memory() {
  return refusal("its structure takes more memory than there is");
}

}  // namespace aprscope
