#include "core/tiles/registration.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "core/tiles/flat_shift.hpp"
#include "core/tiles/overlaps.hpp"

namespace aprscope {
namespace {

// Pixels that two tiles must share in each dimension, unless one has fewer.
constexpr std::int64_t kLeastShared = 4;
// Pairs of which projections are made: more is no recording.
constexpr std::size_t kMostPairs = 500'000;
// Two projections agree on a dimension within this many pixels.
constexpr double kAgree = 2.0;

Index3 rounded(const TilePosition& p) {
  return {std::llround(p[0]), std::llround(p[1]), std::llround(p[2])};
}

// What two boxes share, and `margin` pixels around it; none: too little.
std::optional<Region> shared_box(const TileToPlace& a, const TileToPlace& b, std::int64_t margin) {
  const Index3 at_a = rounded(a.position);
  const Index3 at_b = rounded(b.position);
  Region box;
  const auto meet = [&](std::int64_t a0, std::int64_t na, std::int64_t b0, std::int64_t nb,
                        std::int64_t& begin, std::int64_t& end) {
    begin = std::max(a0, b0);
    end = std::min(a0 + na, b0 + nb);
    const bool enough = end - begin >= std::min({kLeastShared, na, nb});
    begin -= margin;
    end += margin;
    return enough;
  };
  const bool overlap = meet(at_a.z, a.size.z, at_b.z, b.size.z, box.begin.z, box.end.z) &&
                       meet(at_a.x, a.size.x, at_b.x, b.size.x, box.begin.x, box.end.x) &&
                       meet(at_a.y, a.size.y, at_b.y, b.size.y, box.begin.y, box.end.y);
  return overlap ? std::optional(box) : std::nullopt;
}

// Dimensions of the rows and columns of the projections, see BoxProjections, and the one that is
// seen through.
struct Projected {
  std::size_t rows, cols, through;
};
constexpr std::array<Projected, 3> kProjected{{{1, 2, 0}, {0, 2, 1}, {0, 1, 2}}};

using Pairs = std::array<FlatPair, 3>;

// How far the dimension that projection `best` sees through is off, given the other two: the other
// two projections show it together.
double through_shift(const Pairs& pairs, std::size_t best, const TilePosition& by,
                     std::int64_t most, const JobContext& context) {
  const std::size_t dimension = kProjected[best].through;
  const auto sum = [&](std::int64_t shift, bool sure) {
    double total = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == best) continue;
      const auto move = [&](std::size_t d) { return d == dimension ? shift : std::llround(by[d]); };
      const std::int64_t rows = move(kProjected[i].rows);
      const std::int64_t cols = move(kProjected[i].cols);
      total += sure ? pairs[i].sure_correlation(rows, cols) : pairs[i].correlation(rows, cols);
    }
    return total;
  };
  std::int64_t found = 0;
  double highest = 0.0;
  for (std::int64_t shift = -most; shift <= most && !context.stop_requested(); ++shift) {
    const double here = sum(shift, true);
    // Of equal ones that which moves least.
    if (here > highest || (here == highest && here > 0.0 && std::abs(shift) < std::abs(found))) {
      highest = here;
      found = shift;
    }
  }
  if (highest <= 0.0) return 0.0;
  return static_cast<double>(found) +
         parabola_top(sum(found - 1, false), sum(found, false), sum(found + 1, false));
}

// Moves all tiles together, by less than a pixel, so that each lies as near to whole pixels as it
// can: fused images have no others. By the mean of the fractions on a circle.
void move_to_whole_pixels(std::vector<TilePosition>& positions) {
  for (std::size_t d = 0; d < 3; ++d) {
    double sine = 0.0, cosine = 0.0;
    for (const TilePosition& p : positions) {
      sine += std::sin(2.0 * std::numbers::pi * p[d]);
      cosine += std::cos(2.0 * std::numbers::pi * p[d]);
    }
    const double by = std::atan2(sine, cosine) / (2.0 * std::numbers::pi);
    for (TilePosition& p : positions) p[d] -= by;
  }
}

class Registration {
 public:
  Registration(const std::vector<TileToPlace>& tiles, const RegistrationOptions& options)
      : tiles_(tiles), options_(options) {}

  Result<TileRegistration> run(const JobContext& context) {
    if (Status found = find_pairs(context); !found) return found.error();
    return register_pairs(context);
  }

 private:
  struct Pair {
    Pair(const TileLink& link, const Region& shared, std::optional<BoxProjections> first)
        : found{link, 0.0, 0.0}, box(shared), of_first(std::move(first)) {}
    RegisteredPair found;
    Region box;
    /// Kept from when the first of the two was read until the second is.
    std::optional<BoxProjections> of_first;
  };

  Status find_pairs(const JobContext& context) {
    for (std::size_t a = 0; a < tiles_.size(); ++a) {
      if (context.stop_requested()) return cancelled_error();
      for (std::size_t b = a + 1; b < tiles_.size(); ++b) {
        const auto box = shared_box(tiles_[a], tiles_[b], options_.most);
        if (!box) continue;
        if (pairs_.size() == kMostPairs) {
          return Error{
              "has more than " + std::to_string(kMostPairs) + " pairs of tiles that overlap",
              "list of tiles", "check their positions, which count pixels"};
        }
        pairs_.push_back({{a, b, {}, 0.0}, *box, {}});
      }
    }
    return {};
  }

  Result<TileRegistration> register_pairs(const JobContext& context) {
    const auto count = static_cast<double>(std::max<std::size_t>(1, tiles_.size()));
    for (std::size_t i = 0; i < tiles_.size(); ++i) {
      const JobContext part =
          context.part(static_cast<double>(i) / count, static_cast<double>(i + 1) / count);
      if (Status done = read_tile(i, part); !done) return done.error();
    }
    TileRegistration out;
    std::vector<TilePosition> nominal;
    for (const TileToPlace& tile : tiles_) nominal.push_back(tile.position);
    std::vector<TileLink> links;
    for (const Pair& pair : pairs_) links.push_back(pair.found.link);
    out.positions =
        place_tiles(nominal, links, std::max(2.0, 0.1 * static_cast<double>(options_.most)));
    move_to_whole_pixels(out.positions);
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      out.pairs.push_back(
          {links[i], pairs_[i].found.correlation, distance_off(out.positions, links[i])});
    }
    return out;
  }

  // Projections of all that a tile shares with others, and the shifts of those that were read
  // before.
  Status read_tile(std::size_t tile, const JobContext& context) {
    const TileToPlace& one = tiles_[tile];
    Projector projector(one.size, rounded(one.position));
    std::vector<std::pair<Pair*, std::size_t>> here;
    for (Pair& pair : pairs_) {
      const TileLink& link = pair.found.link;
      if (link.first == tile || link.second == tile) {
        here.emplace_back(&pair, projector.add(pair.box));
      }
    }
    if (here.empty()) return {};
    auto source = one.open();
    if (!source) return source.error();
    if (Status read = projector.run(**source, context.part(0.0, 0.8)); !read) return read;
    for (auto& [pair, place] : here) {
      if (pair->found.link.first == tile) {
        pair->of_first = projector.take(place);
        continue;
      }
      const auto first = std::exchange(pair->of_first, std::nullopt);
      if (Status done = find_way(*first, projector.take(place), *pair, context); !done) return done;
    }
    return {};
  }

  Status find_way(const BoxProjections& first, const BoxProjections& second, Pair& pair,
                  const JobContext& context) const {
    const Pairs pairs{FlatPair(first[0], second[0]), FlatPair(first[1], second[1]),
                      FlatPair(first[2], second[2])};
    // The projection that correlates best tells two dimensions, and the others the third.
    RegisteredPair& found = pair.found;
    std::size_t best = 0;
    TilePosition by{0.0, 0.0, 0.0};
    for (std::size_t i = 0; i < 3; ++i) {
      // Of a single slice there is but one picture.
      if (i > 0 && std::min(first[i].rows, second[i].rows) < kLeastShared) continue;
      const auto shift = pairs[i].shift(options_.most, JobContext(context.stop_token()));
      if (!shift) return shift.error();
      if (shift->correlation <= found.correlation) continue;
      found.correlation = shift->correlation;
      best = i;
      by[kProjected[i].rows] = shift->rows;
      by[kProjected[i].cols] = shift->cols;
    }
    if (found.correlation > 0.0) {
      by[kProjected[best].through] = through_shift(pairs, best, by, options_.most, context);
      if (context.stop_requested()) return cancelled_error();
    }
    const TilePosition& a = tiles_[found.link.first].position;
    const TilePosition& b = tiles_[found.link.second].position;
    const Index3 ra = rounded(a);
    const Index3 rb = rounded(b);
    const std::array<std::int64_t, 3> whole{rb.z - ra.z, rb.x - ra.x, rb.y - ra.y};
    for (std::size_t d = 0; d < 3; ++d) {
      found.link.way[d] = static_cast<double>(whole[d]) + by[d];
    }
    const bool counts = found.correlation >= options_.least_correlation;
    found.link.weight = counts ? found.correlation * found.correlation : 0.0;
    return {};
  }

  const std::vector<TileToPlace>& tiles_;
  RegistrationOptions options_;
  std::vector<Pair> pairs_;
};

}  // namespace

Result<TileRegistration> register_tiles(const std::vector<TileToPlace>& tiles,
                                        const RegistrationOptions& options,
                                        const JobContext& context) {
  return Registration(tiles, options).run(context);
}

}  // namespace aprscope
