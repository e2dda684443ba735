#include "core/projections/project.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstddef>
#include <map>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/base/aligned_vector.hpp"
#include "core/base/parallel.hpp"
#include "core/base/system.hpp"
#include "core/image/fft.hpp"
#include "core/image/line_transforms.hpp"
#include "core/image/random.hpp"
#include "core/projections/aberrations.hpp"
#include "core/projections/image_planes.hpp"
#include "core/projections/inserted_row.hpp"

namespace aprscope {

namespace {

constexpr std::int64_t kWidth = LineTransforms::kWidth;
using Complex = std::complex<float>;

// What a microscope multiplies a frequency with: the CTF, and radians beside it.
struct Transfer {
  double factor = 1.0;
  double phase = 0.0;
};

// Of the frequency (x, y), in 1/Å: see ImageTerms.
Transfer transfer(const Ctf& ctf, const PlaneOptics* optics, double x, double y) {
  if (optics == nullptr) return {ctf(x, y), 0.0};
  const double* const m = optics->magnification;
  const double u = m[0] * x + m[1] * y;
  const double v = m[2] * x + m[3] * y;
  return {ctf.with_more(u, v, turns_of(optics->even, u, v)),
          2.0 * std::numbers::pi * turns_of(optics->odd, u, v)};
}

// What an image is multiplied with: nothing, its CTF, the CTF again where that was done afterwards,
// or the CTF with its signs flipped.
enum class CtfTimes { none, once, twice, flipped };
CtfTimes times_of(const OpticsGroup& group) {
  return group.premultiplied   ? CtfTimes::twice
         : group.phase_flipped ? CtfTimes::flipped
                               : CtfTimes::once;
}
// polar() takes no negative magnitudes: the sign is that of the value.
double applied(double factor, CtfTimes times) {
  return times == CtfTimes::twice     ? factor * factor
         : times == CtfTimes::flipped ? std::abs(factor)
                                      : factor;
}

// An image's pixel beside a voxel of the map.
double scale_of(const ProjectionTable& table, const Projection& row) {
  const double size = table.optics[row.optics].pixel_size;
  return std::isfinite(size) && std::isfinite(table.pixel_size) ? size / table.pixel_size : 1.0;
}
// From frequencies of the map to those of an image.
Rotation to_plane(const ProjectionTable& table, const Projection& row, const GroupOptics* group) {
  Rotation out = orientation_of(row);
  if (group != nullptr) out = magnified(out, group->magnification);
  const double scale = scale_of(table, row);
  for (double& entry : out.rows[0]) entry *= scale;
  for (double& entry : out.rows[1]) entry *= scale;
  return out;
}
// Voxels are summed one by one, which leaves gaps between pixels that are much finer.
constexpr double kMostScale = 0.1;

// The spectrum of a padded map, and how planes of it become images.
class Projector {
 public:
  struct Scratch {
    std::vector<Complex> plane;
    AlignedVector<float> rows, line, a, b;
  };

  // Of groups that are magnified or have another pixel size than the map, by their number.
  using Windows = std::map<std::int32_t, std::vector<float>>;

  static Result<std::unique_ptr<Projector>> create(std::span<const float> map, std::int64_t side,
                                                   const ProjectSettings& settings,
                                                   const JobContext& context) {
    const std::int64_t padded = LineTransforms::good_length(
        static_cast<std::int64_t>(std::ceil(settings.padding * static_cast<double>(side))));
    auto lines = LineTransforms::create(padded);
    if (!lines) return lines.error();
    auto fft = Fft3::create({padded, padded, padded});
    if (!fft) return fft.error();
    std::unique_ptr<Projector> made(new Projector(side, padded, settings, std::move(*lines)));
    if (Status ok = made->transform(map, **fft, context); !ok) return ok.error();
    return made;
  }

  [[nodiscard]] Windows windows_of(const ProjectionTable& table, const InsertionPlan& plan) const {
    InsertionPlan own;
    own.side = side_;
    own.padded = padded_;
    own.blob = blob_;
    own.optics = plan.optics;
    Windows windows;
    for (const Projection& row : table.rows) {
      const auto group = static_cast<std::int32_t>(row.optics);
      const auto scale = static_cast<float>(scale_of(table, row));
      const bool magnified = !plan.optics.empty() && plan.optics[row.optics].magnification.any;
      if (!magnified && scale == 1.0F) continue;
      if (windows.contains(group)) continue;
      windows[group] = image_window(own, {scale, magnified ? group : -1});
    }
    return windows;
  }

  [[nodiscard]] std::uint64_t bytes() const { return spectrum_.size() * sizeof(float); }

  [[nodiscard]] Scratch scratch() const {
    Scratch s;
    s.plane.resize(static_cast<std::size_t>(width_ * width_));
    s.rows.resize(static_cast<std::size_t>(side_ * lines_.row_floats()));
    s.line.resize(static_cast<std::size_t>(lines_.row_scratch()));
    s.a.resize(static_cast<std::size_t>(lines_.columns_floats()));
    s.b.resize(s.a.size());
    return s;
  }

  // `to_plane`: from frequencies of the map to those of the image, and the distance from its plane.
  // `group`: null, or what the microscope does beside the CTF. `window`: of a group that has one.
  void project(const Rotation& to_plane, const ImageTerms& terms, const GroupOptics* group,
               CtfTimes times, const std::vector<float>* window, float* image, Scratch& s) const {
    std::fill(s.plane.begin(), s.plane.end(), Complex());
    add_voxels(to_plane, window != nullptr, s.plane.data());
    const PlaneOptics* const optics =
        group != nullptr && group->aberrated ? &group->plane : nullptr;
    const std::int64_t pitch = lines_.row_floats();
    const auto p = static_cast<double>(padded_);
    const double step = 1.0 / (p * terms.pixel_size);
    std::fill(s.rows.begin(), s.rows.end(), 0.0F);
    for (std::int64_t first = 0; first <= padded_ / 2; first += kWidth) {
      std::fill(s.a.begin(), s.a.end(), 0.0F);
      const std::int64_t count = std::min(kWidth, padded_ / 2 + 1 - first);
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t x = first + j;
        for (std::int64_t y = -padded_ / 2; y < padded_ / 2; ++y) {
          const double angle =
              2.0 * std::numbers::pi *
              (static_cast<double>(x) * terms.shift_x + static_cast<double>(y) * terms.shift_y) / p;
          const Transfer by = times == CtfTimes::none
                                  ? Transfer()
                                  : transfer(terms.ctf, optics, static_cast<double>(x) * step,
                                             static_cast<double>(y) * step);
          const std::complex<double> value =
              std::complex<double>(pair(s.plane, x, y)) *
              std::polar(applied(by.factor, times), angle + by.phase);
          float* const to = s.a.data() + 2 * (kWidth * place(y) + j);
          to[0] = static_cast<float>(value.real());
          to[1] = static_cast<float>(value.imag());
        }
      }
      const float* const out = lines_.columns_inverse(s.a.data(), s.b.data());
      for (std::int64_t y = 0; y < side_; ++y) {
        std::copy_n(out + 2 * kWidth * place(y - side_ / 2), 2 * count,
                    s.rows.data() + y * pitch + 2 * first);
      }
    }
    const std::vector<float>& divided = window != nullptr ? *window : window_;
    for (std::int64_t y = 0; y < side_; ++y) {
      float* const row = s.rows.data() + y * pitch;
      lines_.row_inverse(row, s.line.data(), scale_);
      for (std::int64_t x = 0; x < side_; ++x) {
        image[y * side_ + x] =
            row[place(x - side_ / 2)] * divided[static_cast<std::size_t>(y * side_ + x)];
      }
    }
  }

 private:
  Projector(std::int64_t side, std::int64_t padded, const ProjectSettings& settings,
            LineTransforms lines)
      : side_(side),
        padded_(padded),
        reach_(padded / 2 - 1),
        centre_(padded / 2 + 2),
        width_(2 * centre_ + 1),
        blob_(settings.blob),
        slab_(slab_kernel(settings.blob)),
        lines_(std::move(lines)),
        scale_(static_cast<float>(1.0 / (static_cast<double>(padded) * static_cast<double>(padded) *
                                         slab_integral(slab_)))) {
    const std::int64_t c = side / 2;
    const std::vector<double> radial = window_table(blob_, 2 * c * c + 1, 1.0, padded);
    for (std::int64_t y = -c; y < side - c; ++y) {
      for (std::int64_t x = -c; x < side - c; ++x) {
        window_.push_back(static_cast<float>(radial[static_cast<std::size_t>(x * x + y * y)] /
                                             (linear_window(static_cast<double>(x), padded) *
                                              linear_window(static_cast<double>(y), padded))));
      }
    }
  }

  [[nodiscard]] std::int64_t place(std::int64_t k) const { return k < 0 ? k + padded_ : k; }

  Status transform(std::span<const float> map, Fft3& fft, const JobContext& context) {
    row_ = fft.row();
    spectrum_.resize(static_cast<std::size_t>(fft.buffer_count()));
    const std::int64_t c = side_ / 2;
    const std::vector<double> window = window_table(blob_, 3 * c * c + 1, 1.0, padded_);
    std::size_t i = 0;
    for (std::int64_t z = -c; z < side_ - c; ++z) {
      for (std::int64_t y = -c; y < side_ - c; ++y) {
        for (std::int64_t x = -c; x < side_ - c; ++x, ++i) {
          spectrum_[static_cast<std::size_t>((place(z) * padded_ + place(y)) * row_ + place(x))] =
              static_cast<float>(map[i] / window[static_cast<std::size_t>(x * x + y * y + z * z)]);
        }
      }
    }
    return fft.forward(spectrum_, context);
  }

  // Every voxel of the half ball within the slab, into the four pixels round its place; those of
  // the plane x = 0, of which both members of a pair are met, count half: see pair().
  // Of a magnified image some are beyond its frequencies.
  void add_voxels(const Rotation& rotation, bool stretched, Complex* plane) const {
    const auto& m = rotation.rows;
    const auto h = static_cast<double>(reach_);
    for (std::int64_t z = -reach_; z <= reach_; ++z) {
      for (std::int64_t y = -reach_; y <= reach_; ++y) {
        const double rest = h * h - static_cast<double>(z * z + y * y);
        if (rest < 0.0) continue;
        const auto fy = static_cast<double>(y);
        const auto fz = static_cast<double>(z);
        const double base = m[2][1] * fy + m[2][2] * fz;
        double begin = 0.0;
        double end = std::floor(std::sqrt(rest));
        if (std::abs(m[2][0]) > 1e-6) {
          const double a = (-blob_.radius - base) / m[2][0];
          const double b = (blob_.radius - base) / m[2][0];
          begin = std::max(begin, std::ceil(std::min(a, b)));
          end = std::min(end, std::floor(std::max(a, b)));
        }
        const float* const line = spectrum_.data() + (place(z) * padded_ + place(y)) * row_;
        for (double x = begin; x <= end; x += 1.0) {
          if (stretched && !is_within(m[0][0] * x + m[0][1] * fy + m[0][2] * fz,
                                      m[1][0] * x + m[1][1] * fy + m[1][2] * fz)) {
            continue;
          }
          add_voxel(plane, m[0][0] * x + m[0][1] * fy + m[0][2] * fz,
                    m[1][0] * x + m[1][1] * fy + m[1][2] * fz, m[2][0] * x + base,
                    line + 2 * static_cast<std::int64_t>(x), x == 0.0 ? 0.5F : 1.0F);
        }
      }
    }
  }

  [[nodiscard]] bool is_within(double qx, double qy) const {
    const auto most = static_cast<double>(centre_ - 2);
    return std::abs(qx) < most && std::abs(qy) < most;
  }

  void add_voxel(Complex* plane, double qx, double qy, double qz, const float* value,
                 float share) const {
    const float k = share * slab_(static_cast<float>(qz));
    const double ix = std::floor(qx);
    const double iy = std::floor(qy);
    const auto tx = static_cast<float>(qx - ix);
    const auto ty = static_cast<float>(qy - iy);
    const Complex v(k * value[0], k * value[1]);
    Complex* const at = plane + (static_cast<std::int64_t>(iy) + centre_) * width_ +
                        static_cast<std::int64_t>(ix) + centre_;
    at[0] += (1.0F - tx) * (1.0F - ty) * v;
    at[1] += tx * (1.0F - ty) * v;
    at[width_] += (1.0F - tx) * ty * v;
    at[width_ + 1] += tx * ty * v;
  }

  // The plane with the conjugates of the half of the ball that is not stored. Frequencies beyond
  // the transform's are dropped: nothing but rounding is there.
  [[nodiscard]] Complex pair(const std::vector<Complex>& plane, std::int64_t x,
                             std::int64_t y) const {
    const auto at = static_cast<std::size_t>((y + centre_) * width_ + x + centre_);
    const auto opposite = static_cast<std::size_t>((centre_ - y) * width_ + centre_ - x);
    return plane[at] + std::conj(plane[opposite]);
  }

  std::int64_t side_, padded_, reach_;
  std::int64_t centre_, width_;  // of a plane
  Blob blob_;
  SlabKernel slab_;
  LineTransforms lines_;
  float scale_;
  std::vector<float> window_;
  std::int64_t row_ = 0;
  AlignedVector<float> spectrum_;
};

Status check_map(std::span<const float> map, std::int64_t side, const ProjectSettings& settings) {
  if (side < 2 || static_cast<std::int64_t>(map.size()) != side * side * side) {
    return Error{"the map is not a cube of the side that is said", "projection", "use a cubic map"};
  }
  if (!(settings.noise >= 0.0) || !(settings.padding >= 1.0 && settings.padding <= 4.0)) {
    return Error{"the noise is negative or the padding not in 1 … 4", "projection",
                 "a padding of 2 is the usual one"};
  }
  return {};
}

Status check_table(std::int64_t side, const ProjectionTable& table,
                   const ProjectSettings& settings) {
  if (table.side != side) {
    return Error{"images of " + std::to_string(table.side) + " pixels are wanted of a map of " +
                     std::to_string(side) + " voxels",
                 "projection", "resample the map first"};
  }
  for (const OpticsGroup& group : table.optics) {
    if (std::isfinite(group.pixel_size) && std::isfinite(table.pixel_size) &&
        std::abs(group.pixel_size - table.pixel_size) > kMostScale * table.pixel_size) {
      return Error{"optics group " + group.name + " has quite another pixel size than the first",
                   "projection", "project onto one group at a time"};
    }
  }
  for (const OpticsGroup& group : table.optics) {
    if (const std::string why = magnification_trouble(group); !why.empty()) {
      return Error{"optics group " + group.name + " has " + why, table.path.string(),
                   "mend the table"};
    }
  }
  if (!settings.ctf) return {};
  if (!table.has_ctf()) {
    return Error{"a CTF is wanted and the table has none", table.path.string(),
                 "use a table with defocus, voltage and aberration"};
  }
  for (const OpticsGroup& group : table.optics) {
    if (const std::string why = aberration_trouble(group); !why.empty()) {
      return Error{"optics group " + group.name + " has " + why, table.path.string(),
                   "mend the table, or use no CTF"};
    }
  }
  return {};
}

}  // namespace

double slab_integral(const SlabKernel& slab) {
  constexpr int kSteps = 4096;
  double sum = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    sum += slab(slab.radius * (static_cast<float>(i) + 0.5F) / kSteps);
  }
  return 2.0 * slab.radius * sum / kSteps;
}

struct PreparedMap::State {
  std::int64_t side = 0;
  std::unique_ptr<Projector> projector;
};

Result<PreparedMap> PreparedMap::create(std::span<const float> map, std::int64_t side,
                                        const ProjectSettings& settings,
                                        const JobContext& context) {
  if (Status ok = check_map(map, side, settings); !ok) return ok.error();
  auto projector = Projector::create(map, side, settings, context);
  if (!projector) return projector.error();
  auto state = std::make_shared<State>();
  state->side = side;
  state->projector = *std::move(projector);
  PreparedMap made;
  made.state_ = std::move(state);
  return made;
}

std::int64_t PreparedMap::side() const { return state_->side; }

std::uint64_t PreparedMap::bytes() const { return state_->projector->bytes(); }

Status project(std::span<const float> map, std::int64_t side, const ProjectionTable& table,
               const ProjectSettings& settings, const ImageSink& sink, const JobContext& context) {
  if (Status ok = check_map(map, side, settings); !ok) return ok;
  // Before the spectrum is made.
  if (Status ok = check_table(side, table, settings); !ok) return ok;
  const auto prepared = PreparedMap::create(map, side, settings, context);
  if (!prepared) return prepared.error();
  return project(*prepared, table, settings, sink, context);
}

Status project(const PreparedMap& map, const ProjectionTable& table,
               const ProjectSettings& settings, const ImageSink& sink, const JobContext& context) {
  const std::int64_t side = map.side();
  if (Status ok = check_table(side, table, settings); !ok) return ok;
  const Projector* const projector = map.state_->projector.get();
  InsertionPlan plan;
  plan.ctf = settings.ctf ? CtfUse::ctf : CtfUse::none;
  plan.pixel_size = table.pixel_size;
  plan.optics = group_optics(table, plan.ctf);
  const Projector::Windows windows = projector->windows_of(table, plan);

  const auto rows = static_cast<std::int64_t>(table.rows.size());
  const std::int64_t pixels = side * side;
  const std::int64_t batch = std::clamp<std::int64_t>((std::int64_t{1} << 24) / pixels, 1, 256);
  const int threads = static_cast<int>(std::clamp<std::int64_t>(batch, 1, thread_count()));
  std::vector<Projector::Scratch> scratch;
  for (int i = 0; i < threads; ++i) scratch.push_back(projector->scratch());
  std::vector<float> images;
  for (std::int64_t begin = 0; begin < rows; begin += batch) {
    const std::int64_t count = std::min(batch, rows - begin);
    images.resize(static_cast<std::size_t>(count * pixels));
    parallel_each(count, threads, [&](std::int64_t i, int thread) {
      if (context.stop_requested()) return;
      const Projection& row = table.rows[static_cast<std::size_t>(begin + i)];
      ImageTerms terms = image_terms(table, row, plan, false);
      float* const image = images.data() + i * pixels;
      const CtfTimes times = settings.ctf ? times_of(table.optics[row.optics]) : CtfTimes::none;
      const GroupOptics* const optics =
          terms.optics < 0 ? nullptr : &plan.optics[static_cast<std::size_t>(terms.optics)];
      const auto window = windows.find(static_cast<std::int32_t>(row.optics));
      projector->project(to_plane(table, row, optics), terms, optics, times,
                         window != windows.end() ? &window->second : nullptr, image,
                         scratch[static_cast<std::size_t>(thread)]);
      if (settings.noise == 0.0) return;
      const CounterRandom random(settings.seed, static_cast<std::uint64_t>(begin + i));
      for (std::int64_t p = 0; p < pixels; ++p) {
        image[p] +=
            static_cast<float>(settings.noise * random.normal(static_cast<std::uint64_t>(p)));
      }
    });
    if (context.stop_requested()) return cancelled_error();
    if (Status ok = sink(begin, images); !ok) return ok;
    context.report(static_cast<double>(begin + count) / static_cast<double>(rows), "Project");
  }
  return {};
}

ProjectionTable uniform_projections(std::int64_t side, double pixel_size, std::int64_t count,
                                    std::uint64_t seed) {
  ProjectionTable table;
  table.format = "uniform directions";
  table.side = side;
  table.pixel_size = pixel_size;
  table.optics.resize(1);
  table.optics[0].pixel_size = pixel_size;
  for (std::int64_t i = 0; i < count; ++i) {
    const CounterRandom random(seed, static_cast<std::uint64_t>(i));
    Projection& row = table.rows.emplace_back();
    row.image = i;
    row.rot = 360.0 * random.uniform(0) - 180.0;
    row.tilt = std::acos(2.0 * random.uniform(1) - 1.0) * 180.0 / std::numbers::pi;
    row.psi = 360.0 * random.uniform(2) - 180.0;
    row.line = i + 1;
  }
  return table;
}

}  // namespace aprscope
