#include "core/filter/sweep.hpp"

#include <new>

#include "core/base/parallel.hpp"
#include "core/base/system.hpp"

namespace aprscope::detail {
namespace {

// Blocks of a slab along y: one word of bits a quad row.
constexpr std::int64_t kSlabBlocks = 64;

struct Task {
  const SweepFilter* filter = nullptr;
  Slab slab;
};

// The shape of the slabs of a level: what its filter likes, but enough of them for all threads.
Slab shape_of(const SweepLevel& level, int threads) {
  Slab slab;
  slab.level = level.level;
  slab.grid = level.grid;
  slab.radius = level.filter->radius();
  slab.wanted = level.wanted;
  slab.image = level.image;
  slab.b0 = level.wanted.begin.y / kBlock / 8 * 8;
  slab.b1 = std::min(slab.b0 + kSlabBlocks, (level.wanted.end.y + kBlock - 1) / kBlock);
  level.filter->shape(slab);
  const std::int64_t z = (level.wanted.end.z + 1) / 2 - level.wanted.begin.z / 2;
  const std::int64_t x = (level.wanted.end.x + 1) / 2 - level.wanted.begin.x / 2;
  const std::int64_t wanted_tasks = std::int64_t{8} * threads;
  while (slab.z1 > 4 &&
         ((z + slab.z1 - 1) / slab.z1) * ((x + slab.x1 - 1) / slab.x1) < wanted_tasks) {
    slab.z1 /= 2;
  }
  slab.z1 = std::min(slab.z1, z);
  slab.x1 = std::min(slab.x1, x);
  return slab;
}

void add_tasks(const SweepLevel& level, const Slab& shape, std::vector<Task>& tasks) {
  const std::int64_t z_end = (level.wanted.end.z + 1) / 2;
  const std::int64_t x_end = (level.wanted.end.x + 1) / 2;
  const std::int64_t b_end = (level.wanted.end.y + kBlock - 1) / kBlock;
  Task task{level.filter, shape};
  Slab& s = task.slab;
  for (s.z0 = level.wanted.begin.z / 2; s.z0 < z_end; s.z0 = s.z1) {
    s.z1 = std::min(s.z0 + shape.z1, z_end);
    for (s.x0 = level.wanted.begin.x / 2; s.x0 < x_end; s.x0 = s.x1) {
      s.x1 = std::min(s.x0 + shape.x1, x_end);
      for (s.b0 = shape.b0; s.b0 < b_end; s.b0 = s.b1) {
        s.b1 = std::min(s.b0 + shape.b1 - shape.b0, b_end);
        tasks.push_back(task);
      }
    }
  }
}

}  // namespace

void extend_rows(const Slab& slab, Boundary boundary, std::span<float* const> rows) {
  const std::int64_t n = slab.grid.y;
  const std::int64_t base = slab.base();
  const auto extend = [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t y = begin; y < end; ++y) {
      const std::int64_t from = reflect_index(y, n);
      for (float* const row : rows) {
        row[y - base] = boundary == Boundary::zero ? 0.0F : row[from - base];
      }
    }
  };
  extend(std::max(base, -slab.radius.y), 0);
  extend(n, std::min(n + slab.radius.y, base + slab.stride()));
}

struct Sweeper::State {
  std::vector<Task> tasks;
  // One source and one scratch for each thread.
  std::vector<std::unique_ptr<QuadSource>> sources;
  std::vector<SweepScratch> scratch;
};

Sweeper::Sweeper(const std::vector<SweepLevel>& levels, const MakeSource& make_source)
    : state_(std::make_unique<State>()) {
  const int threads = thread_count();
  State& s = *state_;
  s.scratch.resize(static_cast<std::size_t>(threads));
  for (int t = 0; t < threads; ++t) s.sources.push_back(make_source());
  for (const SweepLevel& level : levels) {
    const Slab shape = shape_of(level, threads);
    add_tasks(level, shape, s.tasks);
    for (const auto& source : s.sources) source->reserve(shape);
    for (SweepScratch& scratch : s.scratch) level.filter->reserve(shape, scratch);
  }
}

Sweeper::~Sweeper() = default;

const std::vector<std::unique_ptr<QuadSource>>& Sweeper::sources() const { return state_->sources; }

Status Sweeper::run(Boundary boundary, const JobContext& context) {
  State& s = *state_;
  const bool done =
      parallel_items(static_cast<std::int64_t>(s.tasks.size()), static_cast<int>(s.sources.size()),
                     context, "filter", [&](std::int64_t i, int thread) {
                       const Task& task = s.tasks[static_cast<std::size_t>(i)];
                       const auto t = static_cast<std::size_t>(thread);
                       QuadSource& source = *s.sources[t];
                       if (source.open(task.slab)) {
                         task.filter->run(task.slab, source, boundary, s.scratch[t], context);
                         source.close();
                       }
                     });
  if (!done) return cancelled_error();
  return {};
}

std::uint64_t Sweeper::bytes() const {
  std::uint64_t total = state_->tasks.capacity() * sizeof(Task);
  for (const SweepScratch& s : state_->scratch) {
    total += (s.rows.capacity() + s.passed.capacity() + s.zeros.capacity() + s.results.capacity() +
              s.more.capacity()) *
                 sizeof(float) +
             s.row_masks.capacity() * sizeof(std::uint64_t);
  }
  return total;
}

Status sweep(const std::vector<SweepLevel>& levels,
             const std::function<std::unique_ptr<QuadSource>()>& make_source, Boundary boundary,
             const JobContext& context) {
  try {
    return Sweeper(levels, make_source).run(boundary, context);
  } catch (const std::bad_alloc&) {
    return Error{"not enough memory for the neighbourhoods of this filter", "filter",
                 "use a smaller stencil or fewer threads, or close other data"};
  }
}

}  // namespace aprscope::detail
