#include "core/apr/convert/bit_lists.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <immintrin.h>

#include "core/base/parallel.hpp"
#include "core/image/parallel_rows.hpp"

namespace aprscope {
namespace {

// Positions of the set bits of each byte, in order, a byte each.
struct PositionTable {
  std::uint64_t of[256];
  constexpr PositionTable() : of() {
    for (unsigned byte = 0; byte < 256; ++byte) {
      unsigned n = 0;
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (((byte >> bit) & 1U) != 0) of[byte] |= std::uint64_t{bit} << 8U * n++;
      }
    }
  }
};
constexpr PositionTable kPositions;

__m128i positions_in(unsigned byte) {
  return _mm_cvtsi64_si128(static_cast<long long>(kPositions.of[byte]));
}

// Calls emit(byte, position of its first bit) for all bytes of words that are not 0.
template <class Emit>
void for_bytes(const std::uint64_t* words, std::int64_t count, const Emit& emit) {
  for (std::int64_t w = 0; w < count; ++w) {
    if (words[w] == 0) continue;
    for (int b = 0; b < 8; ++b) {
      emit(static_cast<unsigned>(words[w] >> 8U * static_cast<unsigned>(b)) & 0xFFU,
           static_cast<int>(64 * w) + 8 * b);
    }
  }
}

// Values that the vector stores below may write beyond the end of a list.
constexpr std::int64_t kBehind = 16;

// The positions of the set bits.
void list_positions(const std::uint64_t* words, std::int64_t count, std::uint16_t* out) {
  for_bytes(words, count, [&](unsigned byte, int first) {
    const __m128i y = _mm_add_epi16(_mm_cvtepu8_epi16(positions_in(byte)),
                                    _mm_set1_epi16(static_cast<short>(first)));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), y);
    out += std::popcount(byte);
  });
}

// The positions of the two children of each.
void list_children(const std::uint64_t* words, std::int64_t count, std::uint16_t* out) {
  for_bytes(words, count, [&](unsigned byte, int first) {
    const __m256i cell =
        _mm256_add_epi32(_mm256_cvtepu8_epi32(positions_in(byte)), _mm256_set1_epi32(first));
    const __m256i low = _mm256_slli_epi32(cell, 1);
    const __m256i high = _mm256_add_epi32(_mm256_slli_epi32(cell, 17), _mm256_set1_epi32(0x10000));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_or_si256(low, high));
    out += 2 * std::popcount(byte);
  });
}

// Cells in a row, or in a row of their children.
class RowCount {
 public:
  RowCount(const LevelBits& bits, const Size3& grid)
      : words_(bits.cells->words()),
        children_(bits.children),
        alone_(children_ && grid.y % 2 != 0),
        last_((grid.y - 1) / 2) {}

  std::uint64_t operator()(const std::uint64_t* bits) const {
    std::uint64_t n = 0;
    for (std::int64_t w = 0; w < words_; ++w) n += static_cast<unsigned>(std::popcount(bits[w]));
    if (children_) n *= 2;
    if (alone_) n -= (bits[last_ / 64] >> (last_ % 64)) & 1U;
    return n;
  }

 private:
  std::int64_t words_;
  bool children_;
  // The last cell has but one child where the level ends oddly.
  bool alone_;
  std::int64_t last_;
};

class Lists {
 public:
  explicit Lists(std::vector<BitSlices> levels) : levels_(std::move(levels)) {
    std::int64_t rows = 1;
    for (const BitSlices& level : levels_) {
      first_.push_back(rows);
      rows += (level.end - level.begin) * level.grid.x;
    }
    lists_.ends = Scratch<std::uint64_t>(rows);
  }

  bool run(const JobContext& context, Scratch<float> spare) {
    std::uint64_t* const ends = lists_.ends.data();
    ends[0] = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (!count_level(i, context)) return false;
    }
    const std::int64_t rows = lists_.ends.count();
    for (std::int64_t r = 1; r < rows; ++r) ends[r] += ends[r - 1];
    lists_.y = Scratch<std::uint16_t>::in_memory_of(std::move(spare),
                                                    static_cast<std::int64_t>(ends[rows - 1]));
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (!list_level(i, context)) return false;
    }
    return true;
  }

  BitLists take() { return std::move(lists_); }

 private:
  // The slices of bits that stand for those of level i.
  [[nodiscard]] Size3 rows_of_bits(std::size_t i) const {
    const BitSlices& level = levels_[i];
    const Size3& cells = level.bits.cells->size();
    const std::int64_t slices = level.end - level.begin;
    return {level.bits.children ? (slices + 1) / 2 : slices, cells.x, cells.y};
  }

  // Calls work(words of a row of bits, rows of the lists that it stands for, thread).
  template <class Work>
  bool for_rows(std::size_t i, const JobContext& context, const Work& work) const {
    const BitSlices& level = levels_[i];
    const BitGrid& cells = *level.bits.cells;
    const Size3& grid = level.grid;
    const Size3 swept = rows_of_bits(i);
    const std::int64_t first = level.bits.children ? level.begin / 2 : level.begin;
    const auto row_of = [&](std::int64_t z, std::int64_t x) {
      return first_[i] + (z - level.begin) * grid.x + x;
    };
    return parallel_rows(
        swept, sweep_threads(swept), JobContext(context.stop_token()), {},
        [&](std::int64_t slice, std::int64_t x, int thread) {
          const std::int64_t z = first + slice;
          std::array<std::int64_t, 4> rows{};
          std::size_t count = 0;
          if (level.bits.children) {
            for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, level.end); ++cz) {
              for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx) {
                rows[count++] = row_of(cz, cx);
              }
            }
          } else {
            rows[count++] = row_of(z, x);
          }
          work(cells.row(z, x), std::span(rows.data(), count), thread);
        });
  }

  bool count_level(std::size_t i, const JobContext& context) {
    const RowCount count(levels_[i].bits, levels_[i].grid);
    return for_rows(i, context, [&](const std::uint64_t* bits, auto rows, int) {
      const std::uint64_t n = count(bits);
      for (const std::int64_t row : rows) lists_.ends.data()[row] = n;
    });
  }

  bool list_level(std::size_t i, const JobContext& context) {
    const LevelBits& level = levels_[i].bits;
    const std::int64_t words = level.cells->words();
    const std::int64_t pitch = words * 64 * 2 + kBehind;
    const int threads = sweep_threads(rows_of_bits(i));
    Scratch<std::uint16_t> list(threads * pitch);
    return for_rows(i, context, [&](const std::uint64_t* bits, auto rows, int thread) {
      const std::uint64_t* const ends = lists_.ends.data();
      const std::uint64_t n = ends[rows[0]] - ends[rows[0] - 1];
      if (n == 0) return;
      std::uint16_t* const own = list.data() + thread * pitch;
      if (level.children) {
        list_children(bits, words, own);
      } else {
        list_positions(bits, words, own);
      }
      for (const std::int64_t row : rows) {
        std::memcpy(lists_.y.data() + ends[row - 1], own, n * sizeof(std::uint16_t));
      }
    });
  }

  std::vector<BitSlices> levels_;
  // The first row of each level.
  std::vector<std::int64_t> first_;
  BitLists lists_;
};

}  // namespace

std::optional<BitLists> list_bits(std::vector<BitSlices> levels, const JobContext& context,
                                  Scratch<float> spare) {
  Lists lists(std::move(levels));
  if (!lists.run(context, std::move(spare))) return std::nullopt;
  return lists.take();
}

std::vector<std::uint64_t> count_slices(const LevelBits& bits, const Size3& grid) {
  const BitGrid& cells = *bits.cells;
  const RowCount count(bits, grid);
  std::vector<std::uint64_t> out(static_cast<std::size_t>(grid.z), 0);
  parallel_for(cells.size().z, sweep_threads(cells.size()), [&](std::int64_t z) {
    std::uint64_t n = 0;
    for (std::int64_t x = 0; x < cells.size().x; ++x) {
      // A row of cells has two rows of children, but for the last one where the level ends oddly.
      const bool pair = bits.children && 2 * x + 1 < grid.x;
      n += (pair ? 2 : 1) * count(cells.row(z, x));
    }
    const std::int64_t first = bits.children ? 2 * z : z;
    out[static_cast<std::size_t>(first)] = n;
    if (bits.children && first + 1 < grid.z) out[static_cast<std::size_t>(first + 1)] = n;
  });
  return out;
}

}  // namespace aprscope
