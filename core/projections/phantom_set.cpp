// Molecules, and sets of projections, by chance.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <numbers>
#include <utility>

#include "core/base/parallel.hpp"
#include "core/image/random.hpp"
#include "core/projections/phantom.hpp"

namespace aprscope {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

Vector3 plus(const Vector3& a, const Vector3& b, double factor = 1.0) {
  return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
double length(const Vector3& v) { return std::hypot(v[0], v[1], v[2]); }

// Grows a chain an atom at a time.
class Chain {
 public:
  explicit Chain(const MoleculeSettings& settings)
      : settings_(settings), random_(settings.seed, 0) {
    places_.push_back({0, 0, 0});
  }
  std::vector<Vector3> grow() {
    while (static_cast<std::int64_t>(places_.size()) < settings_.atoms) {
      if (!step()) branch();
    }
    return std::move(places_);
  }

 private:
  double normal() { return random_.normal(drawn_++); }

  // Goes on, less and less straight, until there is room.
  bool step() {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const double bend = 0.7 + attempt / 50.0;
      Vector3 way = direction_;
      for (double& v : way) v += bend * normal();
      const double stretch = settings_.step / std::max(length(way), 1e-9);
      const Vector3 next = plus(places_.back(), way, stretch);
      if (!inside(next) || !free(next)) continue;
      direction_ = plus({0, 0, 0}, way, stretch / settings_.step);
      places_.push_back(next);
      return true;
    }
    return false;
  }
  // A side chain where there is no way on.
  void branch() {
    const auto count = static_cast<double>(places_.size());
    const auto from = static_cast<std::size_t>(count * random_.uniform((1ULL << 40U) + drawn_));
    const Vector3 off{normal(), normal(), normal()};
    places_.push_back(plus(places_[from], off, 0.4 * settings_.step));
  }
  [[nodiscard]] bool inside(const Vector3& p) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) sum += std::pow(p[i] / settings_.half_axes[i], 2.0);
    return sum <= 1.0;
  }
  [[nodiscard]] bool free(const Vector3& p) const {
    return std::all_of(places_.begin(), places_.end() - 1, [&](const Vector3& other) {
      return length(plus(p, other, -1.0)) > 0.75 * settings_.step;
    });
  }

  static constexpr int kAttempts = 400;
  const MoleculeSettings& settings_;
  CounterRandom random_;
  std::uint64_t drawn_ = 0;
  Vector3 direction_{1, 0, 0};
  std::vector<Vector3> places_;
};

// Closed forms, an image at a time.
class PhantomImages final : public ProjectionImages {
 public:
  PhantomImages(std::vector<Atom> atoms, std::int64_t side, double noise, std::uint64_t seed)
      : atoms_(std::move(atoms)), side_(side), noise_(noise), seed_(seed) {}

  Status read(std::span<const Projection> rows, std::span<float> out,
              const JobContext& context) override {
    const std::int64_t pixels = side_ * side_;
    const auto count = static_cast<std::int64_t>(rows.size());
    parallel_each(count, threads_for(count * pixels), [&](std::int64_t i, int) {
      if (context.stop_requested()) return;
      const auto at = static_cast<std::size_t>(i);
      render(rows[at],
             out.subspan(at * static_cast<std::size_t>(pixels), static_cast<std::size_t>(pixels)));
    });
    return context.stop_requested() ? Status(cancelled_error()) : Status();
  }

 private:
  void render(const Projection& row, std::span<float> image) const {
    phantom_projection(atoms_, from_euler(row.rot, row.tilt, row.psi), side_, row.shift_x,
                       row.shift_y, image);
    if (noise_ == 0.0) return;
    const CounterRandom random(seed_, static_cast<std::uint64_t>(row.image));
    for (std::size_t p = 0; p < image.size(); ++p) {
      image[p] += static_cast<float>(noise_ * random.normal(p));
    }
  }

  std::vector<Atom> atoms_;
  std::int64_t side_;
  double noise_;
  std::uint64_t seed_;
};

}  // namespace

std::vector<Atom> random_molecule(const MoleculeSettings& settings) {
  const std::vector<Vector3> places = Chain(settings).grow();
  const CounterRandom weights(settings.seed, 1);
  std::vector<Rotation> group = settings.symmetry;
  if (group.empty()) group.emplace_back();
  std::vector<Atom> atoms;
  for (const Rotation& turn : group) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      atoms.push_back({turn * plus(places[i], settings.centre), settings.sigma,
                       0.6 + 0.8 * weights.uniform(i)});
    }
  }
  return atoms;
}

ProjectionTable random_projection_table(const ProjectionSetSettings& settings) {
  ProjectionTable table;
  table.format = "phantom";
  table.side = settings.side;
  table.pixel_size = settings.pixel_size;
  table.stacks = {settings.stack};
  const bool has_ctf = settings.most_defocus > 0.0;
  OpticsGroup optics;
  optics.name = "phantom";
  optics.pixel_size = settings.pixel_size;
  if (has_ctf) {
    optics.voltage_kv = 300.0;
    optics.spherical_aberration_mm = 2.7;
    optics.amplitude_contrast = 0.1;
  }
  table.optics = {optics};
  for (std::int64_t i = 0; i < settings.images; ++i) {
    const CounterRandom random(settings.seed, static_cast<std::uint64_t>(i));
    Projection row;
    row.image = i;
    row.line = i + 1;
    row.half = 1 + static_cast<int>(i % 2);
    double height = 2.0 * random.uniform(0) - 1.0;
    if (random.uniform(1) < settings.preferred) {
      height = std::copysign(1.0 - 0.15 * random.uniform(2), height);
    }
    row.rot = 360.0 * random.uniform(3) - 180.0;
    row.tilt = std::acos(height) / kDegree;
    row.psi = 360.0 * random.uniform(4) - 180.0;
    row.shift_x = settings.shift * random.normal(8);
    row.shift_y = settings.shift * random.normal(9);
    if (has_ctf) {
      row.defocus_u = settings.least_defocus +
                      (settings.most_defocus - settings.least_defocus) * random.uniform(5);
      row.defocus_v = row.defocus_u - settings.astigmatism * random.uniform(6);
      row.defocus_angle = 180.0 * random.uniform(7);
    }
    table.rows.push_back(row);
  }
  return table;
}

Projections phantom_projections(std::vector<Atom> atoms, ProjectionTable table, double noise,
                                std::uint64_t seed) {
  auto images = std::make_shared<PhantomImages>(std::move(atoms), table.side, noise, seed);
  return {std::move(table), std::move(images)};
}

}  // namespace aprscope
