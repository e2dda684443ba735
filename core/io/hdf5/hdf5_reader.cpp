#include "core/io/hdf5/hdf5_reader.hpp"

#include <utility>

#include "core/io/hdf5/hdf5_wire.hpp"

namespace aprscope {
namespace {

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
  // Made on the heap first, since the channel refers to its file.
  const std::shared_ptr<Hdf5Reader> reader(new Hdf5Reader(*std::move(file), state->bytes, stop));
  auto channel = open_hdf5_channel(reader->file_, reader->file_bytes_, stop);
  if (!channel) return channel.error();
  reader->channel_ = *std::move(channel);
  const auto greeting = reader->answer_to({}, "");
  if (!greeting) return greeting.error();
  return reader;
}

Hdf5Reader::Hdf5Reader(RegularFile file, std::uint64_t file_bytes, const std::stop_token& stop)
    : file_(std::move(file)), file_bytes_(file_bytes), stop_(stop) {}

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

Result<std::vector<std::uint8_t>> Hdf5Reader::answer_to(const std::vector<std::uint8_t>& request,
                                                        const std::string& object) {
  auto answer = channel_->ask(request);
  if (!answer) {
    fail(answer.error());
    channel_.reset();
    return answer;
  }
  if (answer->front() == kDone) return answer;
  ByteReader in(*answer);
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
  if (channel_ == nullptr) return status().error();
  ByteWriter request;
  request.number(static_cast<std::uint8_t>(word), 1);
  request.text(object);
  request.append(arguments.bytes());
  return answer_to(request.bytes(), object.empty() ? "/" : object);
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

Result<const std::vector<Hdf5Attribute>*> Hdf5Reader::kept_attributes(const std::string& object) {
  auto kept = attributes_.find(object);
  if (kept == attributes_.end()) {
    auto all = asked<std::vector<Hdf5Attribute>>(Hdf5Word::attributes, object);
    if (!all) return all.error();
    kept = attributes_.emplace(object, *std::move(all)).first;
  }
  return &kept->second;
}

Result<std::vector<std::string>> Hdf5Reader::attribute_names(const std::string& object) {
  const std::scoped_lock lock(keeping_);
  const auto kept = kept_attributes(object);
  if (!kept) return kept.error();
  std::vector<std::string> names;
  for (const Hdf5Attribute& attribute : **kept) names.push_back(attribute.name);
  return names;
}

void Hdf5Reader::forget_attributes(const std::string& object) {
  const std::scoped_lock lock(keeping_);
  attributes_.erase(object);
}

Result<std::optional<Hdf5Attribute>> Hdf5Reader::attribute(const std::string& object,
                                                           const std::string& name) {
  const std::scoped_lock lock(keeping_);
  const auto kept = kept_attributes(object);
  if (!kept) return kept.error();
  for (const Hdf5Attribute& attribute : **kept) {
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
