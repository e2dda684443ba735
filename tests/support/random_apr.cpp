#include "tests/support/random_apr.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>

namespace aprscope::test {
namespace {

// interior[l]: which cells of the grid of level l are split; every ancestor of one is split too.
using Interior = std::vector<Pixels<std::uint8_t>>;

// A cell exists when its parent is split; the root always exists.
bool exists(const Interior& interior, int l, std::int64_t z, std::int64_t x, std::int64_t y) {
  return l == 0 || interior[static_cast<std::size_t>(l - 1)].at(z / 2, x / 2, y / 2) != 0;
}

template <class Visit>
void for_each_cell(const Size3& grid, const Visit& visit) {
  for (std::int64_t z = 0; z < grid.z; ++z) {
    for (std::int64_t x = 0; x < grid.x; ++x) {
      for (std::int64_t y = 0; y < grid.y; ++y) visit(z, x, y);
    }
  }
}

// Splits cells until neighbours differ by at most one level.
void balance(Interior& interior, const Size3& size, int level_max) {
  for (int l = level_max; l >= 2; --l) {
    const Size3 grid = level_grid(size, level_max, l);
    for_each_cell(grid, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
      if (!exists(interior, l, z, x, y)) return;
      for (std::int64_t nz = std::max<std::int64_t>(0, z - 1); nz < std::min(z + 2, grid.z); ++nz) {
        for (std::int64_t nx = std::max<std::int64_t>(0, x - 1); nx < std::min(x + 2, grid.x);
             ++nx) {
          for (std::int64_t ny = std::max<std::int64_t>(0, y - 1); ny < std::min(y + 2, grid.y);
               ++ny) {
            for (int k = l - 2, shift = 2; k >= 0; --k, ++shift) {
              interior[static_cast<std::size_t>(k)].at(nz >> shift, nx >> shift, ny >> shift) = 1;
            }
          }
        }
      }
    });
  }
}

}  // namespace

std::shared_ptr<const AprAccess> random_access(const RandomAprOptions& options) {
  const int level_max = finest_level(options.size);
  std::mt19937_64 random(options.seed);
  std::bernoulli_distribution split(options.split);
  Interior interior;
  for (int l = 0; l < level_max; ++l) {
    interior.emplace_back(level_grid(options.size, level_max, l), std::uint8_t{0});
    Pixels<std::uint8_t>& level = interior.back();
    for_each_cell(level.size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
      const bool here = l == 0 || (exists(interior, l, z, x, y) && split(random));
      level.at(z, x, y) = here ? 1 : 0;
    });
  }
  if (options.balanced) balance(interior, options.size, level_max);

  std::vector<std::uint16_t> ys;
  std::vector<std::uint64_t> xz_end{0};
  for (int l = 1; l <= level_max; ++l) {
    const Size3 grid = level_grid(options.size, level_max, l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        for (std::int64_t y = 0; y < grid.y; ++y) {
          const bool leaf =
              l == level_max || interior[static_cast<std::size_t>(l)].at(z, x, y) == 0;
          if (leaf && exists(interior, l, z, x, y)) ys.push_back(static_cast<std::uint16_t>(y));
        }
        xz_end.push_back(ys.size());
      }
    }
  }
  auto cells =
      LinearAccess::create(options.size, level_max, 1, level_max, std::move(ys), std::move(xz_end));
  if (!cells) {
    std::fprintf(stderr, "random_access: %s\n", cells.error().message().c_str());
    std::abort();
  }
  auto access = AprAccess::create(std::move(*cells));
  if (!access) {
    std::fprintf(stderr, "random_access: %s\n", access.error().message().c_str());
    std::abort();
  }
  return *access;
}

std::shared_ptr<const AprAccess> full_access(const Size3& size) {
  return random_access({.size = size, .seed = 0, .split = 1.0, .balanced = false});
}

std::vector<float> random_values(std::uint64_t count, std::uint64_t seed, float low, float high,
                                 bool integers) {
  std::mt19937_64 random(seed);
  std::vector<float> values(count);
  for (float& v : values) {
    // The distributions of the standard library differ between implementations; this does not.
    const auto unit = static_cast<float>(static_cast<double>(random() >> 40U) / 16777216.0);
    v = low + unit * (high - low);
    if (integers) v = static_cast<float>(static_cast<std::int64_t>(v));
  }
  return values;
}

Apr random_apr(const RandomAprOptions& options) {
  Apr apr;
  apr.access = random_access(options);
  std::vector<std::uint16_t> values;
  for (const float v : random_values(apr.access->count(), options.seed + 1, 0.0F, 65536.0F, true)) {
    values.push_back(static_cast<std::uint16_t>(v));
  }
  apr.fields.push_back(
      std::make_shared<const Field>(Field{"particle_intensities", std::move(values)}));
  apr.name = "random";
  return apr;
}

ParticleMap particle_map(const AprAccess& access) {
  const Size3 size = access.size();
  const LinearAccess& cells = access.particles();
  ParticleMap map{Pixels<std::uint8_t>(size), Pixels<std::uint64_t>(size)};
  for (int l = 1; l <= access.level_max(); ++l) {
    const std::int64_t s = std::int64_t{1} << (access.level_max() - l);
    const Size3 grid = cells.grid(l);
    for (std::int64_t z = 0; z < grid.z; ++z) {
      for (std::int64_t x = 0; x < grid.x; ++x) {
        const ParticleRange row = cells.row(l, z, x);
        for (std::uint64_t i = row.begin; i < row.end; ++i) {
          const std::int64_t y = cells.y()[i];
          for (std::int64_t pz = z * s; pz < std::min((z + 1) * s, size.z); ++pz) {
            for (std::int64_t px = x * s; px < std::min((x + 1) * s, size.x); ++px) {
              for (std::int64_t py = y * s; py < std::min((y + 1) * s, size.y); ++py) {
                map.level.at(pz, px, py) = static_cast<std::uint8_t>(l);
                map.index.at(pz, px, py) = i;
              }
            }
          }
        }
      }
    }
  }
  return map;
}

Pixels<float> naive_reconstruct(const AprAccess& access, const std::vector<float>& values) {
  const ParticleMap map = particle_map(access);
  Pixels<float> image(access.size());
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    image.values[i] = values[map.index.values[i]];
  }
  return image;
}

std::vector<float> naive_tree(const AprAccess& access, const std::vector<float>& values,
                              Reduction reduction) {
  const LinearAccess& cells = access.particles();
  const LinearAccess& tree = access.tree();
  std::vector<double> out(tree.count());
  for (int l = access.level_max() - 1; l >= 0; --l) {
    for_each_cell(tree.grid(l), [&](std::int64_t z, std::int64_t x, std::int64_t y) {
      const auto at = tree.find(l, z, x, y);
      if (!at) return;
      std::vector<double> children;
      for (int c = 0; c < 8; ++c) {
        const std::int64_t cz = 2 * z + c / 4;
        const std::int64_t cx = 2 * x + c / 2 % 2;
        const std::int64_t cy = 2 * y + c % 2;
        const Size3 fine = level_grid(access.size(), access.level_max(), l + 1);
        if (cz >= fine.z || cx >= fine.x || cy >= fine.y) continue;
        if (const auto p = cells.find(l + 1, cz, cx, cy)) {
          children.push_back(values[*p]);
        } else if (const auto t =
                       l + 1 < access.level_max() ? tree.find(l + 1, cz, cx, cy) : std::nullopt) {
          children.push_back(out[*t]);
        }
      }
      double sum = 0.0;
      for (const double v : children) sum += v;
      switch (reduction) {
        case Reduction::mean:
          out[*at] = sum / static_cast<double>(children.size());
          break;
        case Reduction::min:
          out[*at] = *std::min_element(children.begin(), children.end());
          break;
        case Reduction::max:
          out[*at] = *std::max_element(children.begin(), children.end());
          break;
      }
    });
  }
  return {out.begin(), out.end()};
}

Pixels<float> naive_at_level(const AprAccess& access, const std::vector<float>& values,
                             const std::vector<float>& tree, int level) {
  Pixels<float> out(level_grid(access.size(), access.level_max(), level));
  for_each_cell(out.size, [&](std::int64_t z, std::int64_t x, std::int64_t y) {
    for (int l = level; l >= 1; --l) {
      const int shift = level - l;
      if (const auto p = access.particles().find(l, z >> shift, x >> shift, y >> shift)) {
        out.at(z, x, y) = values[*p];
        return;
      }
    }
    if (const auto t = access.tree().find(level, z, x, y)) out.at(z, x, y) = tree[*t];
  });
  return out;
}

}  // namespace aprscope::test
