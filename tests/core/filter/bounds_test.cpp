#include <cstring>
#include <span>
#include <string>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/core/filter/naive.hpp"

// The kernels load and store up to 16 values at once with masks, which address sanitizers do not
// follow. Here values lie right before and right after memory that must not be touched: whatever
// reaches beyond them ends the program.
namespace aprscope {
namespace {

// Values with forbidden pages on both sides, as close to one of them as can be.
class Fenced {
 public:
  enum class Side { begin, end };

  Fenced(std::span<const float> values, Side side) : count_(values.size()) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t bytes = values.size_bytes();
    const std::size_t inside = (bytes + page - 1) / page * page;
    mapped_ = inside + 2 * page;
    base_ = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base_ == MAP_FAILED) std::abort();
    char* const first = static_cast<char*>(base_) + page;
    if (inside > 0 && mprotect(first, inside, PROT_READ | PROT_WRITE) != 0) std::abort();
    values_ = reinterpret_cast<float*>(side == Side::begin ? first : first + inside - bytes);
    if (bytes > 0) std::memcpy(values_, values.data(), bytes);
  }
  ~Fenced() { munmap(base_, mapped_); }
  Fenced(const Fenced&) = delete;
  Fenced& operator=(const Fenced&) = delete;

  [[nodiscard]] std::span<float> span() const { return {values_, count_}; }

 private:
  void* base_ = nullptr;
  std::size_t mapped_ = 0;
  float* values_ = nullptr;
  std::size_t count_ = 0;
};

using Work = std::function<Status(const FilterInput&, const Region&, std::span<float>)>;

std::vector<std::pair<std::string, Work>> filters(int level_max) {
  const auto pyramid = [level_max](const Stencil& s, StencilMode mode) {
    return StencilPyramid::create(s, mode, false, level_max).value();
  };
  std::vector<std::pair<std::string, Work>> all;
  const auto correlate = [&](const std::string& name, const StencilPyramid& stencils) {
    all.emplace_back(name,
                     [stencils](const FilterInput& in, const Region& region, std::span<float> out) {
                       return convolve(in, stencils, Boundary::reflect, region, out);
                     });
  };
  correlate("dense 3", pyramid(box_stencil({3, 3, 3}), StencilMode::same));
  correlate("separable 7 x 5 x 9", pyramid(box_stencil({7, 5, 9}), StencilMode::same));
  correlate("taps", pyramid(sobel_stencil(Axis::y), StencilMode::same));
  all.emplace_back("median", [](const FilterInput& in, const Region& region, std::span<float> out) {
    return local_statistic(in, LocalStatistic::median, Size3{3, 1, 5}, Boundary::zero, region, out);
  });
  all.emplace_back("max", [](const FilterInput& in, const Region& region, std::span<float> out) {
    return local_statistic(in, LocalStatistic::max, Size3{3, 3, 3}, Boundary::reflect, region, out);
  });
  return all;
}

class FilterBounds : public testing::TestWithParam<Size3> {};

TEST_P(FilterBounds, NothingBeyondTheValuesIsReadOrWritten) {
  const Size3 size = GetParam();
  for (const bool balanced : {true, false}) {
    for (const double split : {0.5, 0.9}) {
      const auto access = test::random_access({size, 11, split, balanced});
      const std::vector<float> values = test::random_values(access->count(), 12);
      const auto tree = fill_tree(*access, values, Reduction::mean);
      ASSERT_TRUE(tree.ok());
      const std::vector<Region> regions{whole(size),
                                        {{size.z / 2, 0, 0}, {size.z / 2 + 1, size.x, size.y}},
                                        {{0, size.x - 1, size.y - 1}, {size.z, size.x, size.y}}};
      for (const auto side : {Fenced::Side::begin, Fenced::Side::end}) {
        const Fenced particles(values, side);
        const Fenced means(*tree, side);
        const auto again = fill_tree(*access, particles.span(), Reduction::mean);
        ASSERT_TRUE(again.ok());
        EXPECT_EQ(*again, *tree);
        const FilterInput free{access.get(), values, *tree};
        const FilterInput fenced{access.get(), particles.span(), means.span()};
        for (const auto& [name, filter] : filters(access->level_max())) {
          for (const Region& region : regions) {
            std::vector<float> expected(values.size(), -1.0F);
            ASSERT_TRUE(filter(free, region, expected).ok()) << name;
            const Fenced out(std::vector<float>(values.size(), -1.0F), side);
            ASSERT_TRUE(filter(fenced, region, out.span()).ok()) << name;
            EXPECT_EQ(
                std::memcmp(out.span().data(), expected.data(), expected.size() * sizeof(float)), 0)
                << name;
          }
        }
      }
    }
  }
}

// Rows that end in, at and past a word of bits, a block of 16, a pair; lines and planes.
INSTANTIATE_TEST_SUITE_P(Sizes, FilterBounds,
                         testing::Values(Size3{1, 1, 1}, Size3{1, 1, 129}, Size3{1, 40, 33},
                                         Size3{5, 6, 15}, Size3{8, 8, 16}, Size3{9, 7, 17},
                                         Size3{6, 10, 63}, Size3{8, 16, 64}, Size3{7, 9, 65},
                                         Size3{12, 5, 127}, Size3{16, 16, 128},
                                         Size3{10, 11, 257}));

}  // namespace
}  // namespace aprscope
