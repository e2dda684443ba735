#include "core/apr/convert/cell_lists.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include <immintrin.h>

#include "core/base/parallel.hpp"
#include "core/base/scratch.hpp"
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

// What a list may be overwritten by behind its end.
constexpr std::int64_t kBehind = 16;

// The positions of the set bits.
void list_bits(const std::uint64_t* words, std::int64_t count, std::uint16_t* out) {
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

// The cells of a level as bits of it or, where `children`, of the level above: the children of each
// cell.
struct LevelBits {
  const BitGrid* cells = nullptr;
  bool children = false;
};

class Lists {
 public:
  // `levels`: from level_first on.
  Lists(const Size3& size, int level_max, int level_first, std::vector<LevelBits> levels)
      : size_(size), level_max_(level_max), level_first_(level_first), levels_(std::move(levels)) {
    std::int64_t rows = 1;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      first_.push_back(rows);
      const Size3 grid = grid_of(i);
      rows += grid.z * grid.x;
    }
    ends_ = Scratch<std::uint64_t>(rows);
  }

  bool run(const JobContext& context, Scratch<float> spare) {
    ends_.data()[0] = 0;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (!count_level(i, context)) return false;
    }
    std::uint64_t* const ends = ends_.data();
    for (std::int64_t r = 1; r < ends_.count(); ++r) ends[r] += ends[r - 1];
    y_ = Scratch<std::uint16_t>::in_memory_of(std::move(spare),
                                              static_cast<std::int64_t>(ends[ends_.count() - 1]));
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (!list_level(i, context)) return false;
    }
    return true;
  }

  LinearAccess take() {
    const int last = level_first_ + static_cast<int>(levels_.size()) - 1;
    return LinearAccess::of_ordered(size_, level_max_, level_first_, last, std::move(y_),
                                    std::move(ends_));
  }

 private:
  [[nodiscard]] Size3 grid_of(std::size_t i) const {
    return level_grid(size_, level_max_, level_first_ + static_cast<int>(i));
  }

  // Calls work(words of a row of bits, rows of the lists that it stands for, how many, thread).
  template <class Work>
  bool for_rows(std::size_t i, const JobContext& context, const Work& work) const {
    const BitGrid& cells = *levels_[i].cells;
    const Size3 grid = grid_of(i);
    return parallel_rows(
        cells.size(), sweep_threads(cells.size()), JobContext(context.stop_token()), {},
        [&](std::int64_t z, std::int64_t x, int thread) {
          std::array<std::int64_t, 4> rows{};
          std::size_t count = 0;
          if (levels_[i].children) {
            for (std::int64_t cz = 2 * z; cz < std::min(2 * z + 2, grid.z); ++cz) {
              for (std::int64_t cx = 2 * x; cx < std::min(2 * x + 2, grid.x); ++cx) {
                rows[count++] = first_[i] + cz * grid.x + cx;
              }
            }
          } else {
            rows[count++] = first_[i] + z * grid.x + x;
          }
          work(cells.row(z, x), std::span(rows.data(), count), thread);
        });
  }

  bool count_level(std::size_t i, const JobContext& context) {
    const std::int64_t words = levels_[i].cells->words();
    const std::int64_t length = grid_of(i).y;
    // The last cell has but one child where the level ends oddly.
    const bool alone = levels_[i].children && length % 2 != 0;
    const std::int64_t last = (length - 1) / 2;
    return for_rows(i, context, [&](const std::uint64_t* bits, auto rows, int) {
      std::uint64_t n = 0;
      for (std::int64_t w = 0; w < words; ++w) n += static_cast<unsigned>(std::popcount(bits[w]));
      if (levels_[i].children) n *= 2;
      if (alone) n -= (bits[last / 64] >> (last % 64)) & 1U;
      for (const std::int64_t row : rows) ends_.data()[row] = n;
    });
  }

  bool list_level(std::size_t i, const JobContext& context) {
    const BitGrid& cells = *levels_[i].cells;
    const std::int64_t pitch = cells.words() * 64 * 2 + kBehind;
    const int threads = sweep_threads(cells.size());
    Scratch<std::uint16_t> list(threads * pitch);
    return for_rows(i, context, [&](const std::uint64_t* bits, auto rows, int thread) {
      const std::uint64_t* const ends = ends_.data();
      const std::uint64_t n = ends[rows[0]] - ends[rows[0] - 1];
      if (n == 0) return;
      std::uint16_t* const own = list.data() + thread * pitch;
      if (levels_[i].children) {
        list_children(bits, cells.words(), own);
      } else {
        list_bits(bits, cells.words(), own);
      }
      for (const std::int64_t row : rows) {
        std::memcpy(y_.data() + ends[row - 1], own, n * sizeof(std::uint16_t));
      }
    });
  }

  Size3 size_;
  int level_max_;
  int level_first_;
  std::vector<LevelBits> levels_;
  // Row (0, 0) of each level.
  std::vector<std::int64_t> first_;
  Scratch<std::uint64_t> ends_;
  Scratch<std::uint16_t> y_;
};

std::optional<LinearAccess> list(const Size3& size, int level_max, int level_first,
                                 std::vector<LevelBits> levels, const JobContext& context,
                                 Scratch<float> spare = {}) {
  Lists lists(size, level_max, level_first, std::move(levels));
  if (!lists.run(context, std::move(spare))) return std::nullopt;
  return lists.take();
}

}  // namespace

std::optional<LinearAccess> particles_of(const CellSet& set, const Size3& size, int level_max,
                                         const JobContext& context, Scratch<float> spare) {
  std::vector<LevelBits> levels;
  for (int l = 1; l < level_max; ++l) levels.push_back({&set.cells[static_cast<std::size_t>(l)]});
  levels.push_back({&set.refined, true});
  context.report(0.0, "particles");
  return list(size, level_max, 1, std::move(levels), context, std::move(spare));
}

std::optional<LinearAccess> interior_of(const CellSet& set, const Size3& size, int level_max,
                                        const JobContext& context) {
  context.report(0.0, "tree");
  // From level_max − 2 on; the refined cells are those of level_max − 1.
  std::vector<BitGrid> coarser;
  coarser.reserve(static_cast<std::size_t>(level_max));
  const BitGrid* finer = &set.refined;
  std::vector<LevelBits> levels{{finer}};
  for (int l = level_max - 2; l >= 0; --l) {
    coarser.push_back(parents_of(*finer, set.cells[static_cast<std::size_t>(l) + 1],
                                 level_grid(size, level_max, l)));
    finer = &coarser.back();
    levels.push_back({finer});
  }
  std::reverse(levels.begin(), levels.end());
  return list(size, level_max, 0, std::move(levels), context);
}

}  // namespace aprscope
