#include "core/operations/particles/unfinished_conversion.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/fingerprint.hpp"
#include "core/base/regular_file.hpp"
#include "core/base/temporary.hpp"

namespace aprscope {
namespace {

// The first word of the file: changes with its layout.
constexpr std::uint64_t kMagic = 0x31736c6c65435041U;  // "APCells1"
constexpr std::size_t kWordsAtOnce = std::size_t{1} << 16;

using Words = std::vector<std::uint64_t>;

// The thresholds are all that a conversion finds out about its parameters.
constexpr std::size_t kHeadWords = 4;

Words head_of(std::uint64_t key, const UnfinishedConversion::Kept& kept) {
  const ConversionParameters& used = kept.chosen.used;
  return {kMagic, key, std::bit_cast<std::uint64_t>(static_cast<double>(used.sigma_th)),
          std::bit_cast<std::uint64_t>(static_cast<double>(used.grad_th))};
}

float threshold_of(std::uint64_t word) { return static_cast<float>(std::bit_cast<double>(word)); }

std::size_t words_of(const BitGrid& grid) {
  const Size3& n = grid.size();
  return static_cast<std::size_t>(n.z * n.x * grid.words());
}

// An empty set of cells of an image.
CellSet empty_set(const Size3& size) {
  const int finest = finest_level(size);
  CellSet out;
  out.cells.emplace_back();
  for (int l = 1; l < finest; ++l) out.cells.emplace_back(level_grid(size, finest, l));
  out.refined = BitGrid(level_grid(size, finest, finest - 1));
  return out;
}

// Calls visit(words) for all grids of a set.
template <class Set, class Visit>
bool each_grid(Set& set, const Visit& visit) {
  for (auto& grid : set.cells) {
    if (words_of(grid) > 0 && !visit(std::span(grid.row(0, 0), words_of(grid)))) return false;
  }
  return visit(std::span(set.refined.row(0, 0), words_of(set.refined)));
}

// Words with the number that they give at the end.
class WordWriter {
 public:
  explicit WordWriter(const std::filesystem::path& path) : out_(path, std::ios::binary) {}
  bool put(std::span<const std::uint64_t> words) {
    for (const std::uint64_t word : words) sum_.add(word);
    return write(words);
  }
  bool finish() {
    const std::uint64_t sum = sum_.value();
    const bool written = write(std::span(&sum, 1));
    out_.close();
    return written && out_.good();
  }

 private:
  bool write(std::span<const std::uint64_t> words) {
    out_.write(reinterpret_cast<const char*>(words.data()),
               static_cast<std::streamsize>(words.size_bytes()));
    return out_.good();
  }
  std::ofstream out_;
  Fingerprint sum_;
};

class WordReader {
 public:
  explicit WordReader(const RegularFile& file) : file_(file) {}
  bool get(std::span<std::uint64_t> words) {
    for (std::size_t done = 0; done < words.size(); done += kWordsAtOnce) {
      const auto part = words.subspan(done, std::min(kWordsAtOnce, words.size() - done));
      const auto got = file_.read_at(at_, part.data(), part.size_bytes());
      if (!got || *got != part.size_bytes()) return false;
      at_ += part.size_bytes();
      for (const std::uint64_t word : part) sum_.add(word);
    }
    return true;
  }
  // Whether the words are those that were written, and all of them.
  bool complete(std::uint64_t bytes) {
    const std::uint64_t wanted = sum_.value();
    std::uint64_t sum = 0;
    return get(std::span(&sum, 1)) && sum == wanted && at_ == bytes;
  }

 private:
  const RegularFile& file_;
  std::uint64_t at_ = 0;
  Fingerprint sum_;
};

bool is_ours(const std::filesystem::path& path) {
  const auto file = open_regular(path);
  std::uint64_t magic = 0;
  if (!file) return false;
  const auto got = file->read_at(0, &magic, sizeof magic);
  return got && *got == sizeof magic && magic == kMagic;
}

}  // namespace

std::filesystem::path UnfinishedConversion::file_beside(const std::filesystem::path& output,
                                                        std::size_t part) {
  const auto target = resolve_target(output);
  const std::filesystem::path& path = target ? *target : output;
  const std::string number = part == 0 ? std::string() : "-" + std::to_string(part);
  return path.parent_path() / ("." + path.filename().string() + ".cells" + number);
}

void UnfinishedConversion::remove_left(const std::filesystem::path& output, std::size_t first,
                                       std::size_t end) {
  std::error_code ignored;
  for (std::size_t part = first;; ++part) {
    const std::filesystem::path path = file_beside(output, part);
    const bool there = std::filesystem::is_regular_file(path, ignored);
    if (!there && part >= end) return;
    if (there && is_ours(path)) std::filesystem::remove(path, ignored);
  }
}

UnfinishedConversion::UnfinishedConversion(const std::filesystem::path& output, std::uint64_t key,
                                           std::size_t part)
    : path_(file_beside(output, part)), key_(key) {}

UnfinishedConversion::~UnfinishedConversion() {
  std::error_code ignored;
  if (ours_) std::filesystem::remove(path_, ignored);
}

std::optional<UnfinishedConversion::Kept> UnfinishedConversion::load(const Size3& size) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path_, none)) return std::nullopt;
  const auto file = open_regular(path_);
  if (!file) return std::nullopt;
  const auto state = file->state();
  WordReader reader(*file);
  std::array<std::uint64_t, kHeadWords> head{};
  if (!state || !reader.get(head) || head[0] != kMagic) return std::nullopt;
  ours_ = true;
  if (head[1] != key_) return std::nullopt;
  // Before memory is taken: all that follows has a length of its own.
  const int finest = finest_level(size);
  if (finest < 2) return std::nullopt;
  std::uint64_t words = kHeadWords + static_cast<std::uint64_t>(size.z) + 1;
  for (int l = 1; l <= finest; ++l) {
    const Size3 grid = level_grid(size, finest, std::min(l, finest - 1));
    words += static_cast<std::uint64_t>(grid.z * grid.x * ((grid.y + 63) / 64));
  }
  if (state->bytes != words * sizeof(std::uint64_t)) return std::nullopt;
  Kept kept;
  kept.slices.resize(static_cast<std::size_t>(size.z));
  if (!reader.get(kept.slices)) return std::nullopt;
  CellSet set = empty_set(size);
  const bool read = each_grid(set, [&](std::span<std::uint64_t> grid) { return reader.get(grid); });
  if (!read || !reader.complete(state->bytes)) return std::nullopt;
  kept.chosen.used.sigma_th = threshold_of(head[2]);
  kept.chosen.used.grad_th = threshold_of(head[3]);
  kept.chosen.set = std::make_shared<const CellSet>(std::move(set));
  return kept;
}

void UnfinishedConversion::save(const Kept& kept) {
  // Somebody else's file stays as it is.
  std::error_code none;
  if (!ours_ && std::filesystem::symlink_status(path_, none).type() !=
                    std::filesystem::file_type::not_found) {
    return;
  }
  // An error here is none of the conversion: it goes on without.
  const Status saved = write_atomically(path_, [&](const std::filesystem::path& part) -> Status {
    WordWriter out(part);
    const bool written =
        out.put(head_of(key_, kept)) && out.put(kept.slices) &&
        each_grid(*kept.chosen.set,
                  [&](std::span<const std::uint64_t> words) { return out.put(words); }) &&
        out.finish();
    return written ? Status()
                   : Status(Error{"cannot be written", path_.string(), "free some space"});
  });
  if (saved) ours_ = true;
}

WitnessedSlices::WitnessedSlices(SliceSource& source, std::vector<std::uint64_t> known)
    : source_(source), known_(!known.empty()), numbers_(std::move(known)) {
  numbers_.resize(static_cast<std::size_t>(source.size().z), 0);
}

Status WitnessedSlices::read(std::int64_t z, void* out, const JobContext& context) {
  if (Status read = source_.read(z, out, context); !read) return read;
  const Size3 n = size();
  const auto bytes = static_cast<std::size_t>(n.x * n.y) * sample_bytes(kind());
  const auto* const samples = static_cast<const char*>(out);
  // Four at a time, as each waits for the one before it.
  std::array<Fingerprint, 4> sums;
  std::array<std::uint64_t, 4> words{};
  for (std::size_t at = 0; at < bytes; at += sizeof(words)) {
    words = {};
    std::memcpy(words.data(), samples + at, std::min(sizeof(words), bytes - at));
    for (std::size_t i = 0; i < words.size(); ++i) sums[i].add(words[i]);
  }
  Fingerprint all;
  for (const Fingerprint& sum : sums) all.add(sum.value());
  std::uint64_t& number = numbers_[static_cast<std::size_t>(z)];
  if (known_ && number != all.value()) {
    return Error{"slice " + std::to_string(z) + " is another than when its cells were chosen",
                 header().name, "convert the image again"};
  }
  number = all.value();
  return {};
}

}  // namespace aprscope
