#include "core/io/apr/apr_box_cells.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "core/base/system.hpp"

namespace aprscope {
namespace {

// Most pixels of a level whose rows are read at once; a single plane may have more.
constexpr std::int64_t kPixelsAtOnce = std::int64_t{1} << 23;
// So many pixels are in the chunks that are unpacked anyway.
constexpr std::int64_t kPixelsBetween = std::int64_t{1} << 16;
// Ends of rows that are read at once: chunks of them hold those of many planes.
constexpr std::int64_t kEndsAtOnce = std::int64_t{1} << 20;

}  // namespace

BoxCells::BoxCells(const AprCells& cells, const AprHeader& header, const Region& box, int level)
    : cells_(cells),
      level_(level),
      box_(box),
      grid_(level_grid(header.size, header.level_max, level)) {}

Status BoxCells::read(const std::string& where, const JobContext& context) {
  // What lies between the box in one plane and in the next one is read with them where it is small.
  const std::int64_t between = grid_.x - box_.size().x;
  const bool together = between * grid_.y <= kPixelsBetween || 2 * between < box_.size().x;
  const std::int64_t step =
      together ? std::max<std::int64_t>(1, kPixelsAtOnce / (grid_.x * grid_.y)) : 1;
  const std::int64_t planes = std::max(step, kEndsAtOnce / grid_.x / step * step);
  const double n = static_cast<double>(box_.size().z);
  ends_.push_back(0);
  std::vector<std::uint64_t> ends;
  for (std::int64_t z = box_.begin.z; z < box_.end.z; z += planes) {
    const std::int64_t last = std::min(z + planes, box_.end.z);
    if (Status got = read_ends(z, last, ends, where, context); !got) return got;
    for (std::int64_t from = z; from < last; from += step) {
      const std::int64_t to = std::min(from + step, last);
      const JobContext part = context.part(static_cast<double>(from - box_.begin.z) / n,
                                           static_cast<double>(to - box_.begin.z) / n);
      const std::uint64_t* const of_slab = ends.data() + (from - z) * grid_.x;
      if (Status done = read_slab(from, to, of_slab, part); !done) return done;
    }
  }
  return {};
}

// Of planes [z0, z1), from the first row that the box touches to the last, with the end before.
Status BoxCells::read_ends(std::int64_t z0, std::int64_t z1, std::vector<std::uint64_t>& ends,
                           const std::string& where, const JobContext& context) const {
  const auto rows = static_cast<std::uint64_t>((z1 - z0 - 1) * grid_.x + box_.size().x);
  const std::uint64_t first =
      cells_.first_entry(level_) + static_cast<std::uint64_t>(z0 * grid_.x + box_.begin.x);
  ends.resize(rows + 1);
  if (Status got =
          cells_.ends().read(first, ends.size(), ends.data(), JobContext(context.stop_token()));
      !got) {
    return got;
  }
  if (!std::is_sorted(ends.begin(), ends.end()) || ends.back() > cells_.count()) {
    return Error{"its rows are out of order", where, "the file is damaged"};
  }
  return {};
}

// Planes [z0, z1), whose rows end where `ends` says.
Status BoxCells::read_slab(std::int64_t z0, std::int64_t z1, const std::uint64_t* ends,
                           const JobContext& context) {
  const std::uint64_t end = ends[(z1 - z0 - 1) * grid_.x + box_.size().x];
  Slab slab{ends[0], end, stretches_.size(), 0};
  std::vector<std::uint16_t> y(slab.end - slab.begin);
  if (!y.empty()) {
    if (Status got = cells_.y().read(slab.begin, y.size(), y.data(), context); !got) return got;
  }
  for (std::int64_t z = z0; z < z1; ++z) {
    for (std::int64_t x = box_.begin.x; x < box_.end.x; ++x) {
      const std::int64_t row = (z - z0) * grid_.x + x - box_.begin.x;
      const auto begin = y.begin() + static_cast<std::ptrdiff_t>(ends[row] - slab.begin);
      const auto row_end = y.begin() + static_cast<std::ptrdiff_t>(ends[row + 1] - slab.begin);
      const auto low = std::lower_bound(begin, row_end, box_.begin.y);
      const auto high = std::lower_bound(low, row_end, box_.end.y);
      if (low != high) {
        stretches_.push_back({slab.begin + static_cast<std::uint64_t>(low - y.begin()),
                              static_cast<std::uint64_t>(high - low)});
        y_.insert(y_.end(), low, high);
      }
      ends_.push_back(y_.size());
    }
  }
  slab.end_stretch = stretches_.size();
  slabs_.push_back(slab);
  return {};
}

CropRows BoxCells::rows() const {
  return {level_, box_.begin.z, box_.begin.x, box_.end.x, ends_, y_};
}

Status BoxCells::append_values(const Hdf5Vector& vector, const FieldCoding& coding,
                               FieldValues& all, const JobContext& context) const {
  const double n = static_cast<double>(slabs_.size());
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    const Slab& slab = slabs_[i];
    if (slab.first_stretch == slab.end_stretch) continue;
    auto values =
        read_values(vector, slab.begin, slab.end - slab.begin,
                    context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n));
    if (!values) return values.error();
    if (auto* grey = std::get_if<std::vector<std::uint16_t>>(&*values); coding.wnl && grey) {
      if (Status got = wnl_decode(std::span(*grey), coding.parameters, context); !got) return got;
    }
    std::visit(
        [&](auto& into) {
          const auto& more = std::get<std::decay_t<decltype(into)>>(*values);
          for (std::size_t s = slab.first_stretch; s < slab.end_stretch; ++s) {
            const auto from =
                more.begin() + static_cast<std::ptrdiff_t>(stretches_[s].begin - slab.begin);
            into.insert(into.end(), from, from + static_cast<std::ptrdiff_t>(stretches_[s].count));
          }
        },
        all);
  }
  return {};
}

Result<CellRows> BoxCells::planes(const FieldCoding& coding, const JobContext& context) const {
  CellRows out;
  out.level = level_;
  out.z0 = box_.begin.z;
  out.z1 = box_.end.z;
  out.ends.reserve(static_cast<std::size_t>(box_.size().z * grid_.x) + 1);
  out.ends.push_back(0);
  std::size_t row = 0;
  for (std::int64_t z = box_.begin.z; z < box_.end.z; ++z) {
    for (std::int64_t x = 0; x < grid_.x; ++x) {
      const bool inside = x >= box_.begin.x && x < box_.end.x;
      if (inside) ++row;
      out.ends.push_back(ends_[row]);
    }
  }
  out.y = y_;
  if (!cells_.values()) return out;
  FieldValues values = make_values(cells_.value_type(), 0);
  std::visit([&](auto& list) { list.reserve(y_.size()); }, values);
  if (Status got = append_values(*cells_.values(), coding, values, context); !got) {
    return got.error();
  }
  if (auto* floats = std::get_if<std::vector<float>>(&values)) {
    out.values = std::move(*floats);
  } else {
    out.values = Field{"", std::move(values)}.to_float();
  }
  return out;
}

}  // namespace aprscope
