#include "core/io/apr/apr_file_crop.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/structure/crop.hpp"
#include "core/base/system.hpp"
#include "core/io/apr/apr_cells.hpp"
#include "core/io/apr/apr_labels.hpp"
#include "core/io/apr/apr_watched.hpp"

namespace aprscope {
namespace {

// Shares of the time.
constexpr double kRowsShare = 0.3;
constexpr double kCellsShare = 0.5;
// What is read at once has no more pixels of its level than these, or is one plane.
constexpr std::int64_t kPixelsAtOnce = std::int64_t{1} << 23;

Error at(const std::string& where, Error error) {
  if (!error.cancelled()) error.where = where;
  return error;
}

// Cells that follow each other in the file.
struct Stretch {
  std::uint64_t begin = 0;
  std::uint64_t count = 0;
};

// What is read at once, and the stretches in it that the box touches.
struct Slab {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::size_t first_stretch = 0;
  std::size_t end_stretch = 0;
};

// The cells of a level that the box touches, and where they lie in the file.
class LevelCells {
 public:
  LevelCells(const AprHeader& header, const Region& box, int level)
      : level_(level),
        touched_(touched_cells(box, header.level_max, level)),
        grid_(level_grid(header.size, header.level_max, level)),
        first_entry_(row_entries(header.size, header.level_max, 1, level - 1) - 1) {}

  Status read(const AprCells& cells, const std::string& where, const JobContext& context) {
    const std::int64_t step = std::max<std::int64_t>(1, kPixelsAtOnce / (grid_.x * grid_.y));
    ends_.push_back(0);
    for (std::int64_t z = touched_.begin.z; z < touched_.end.z; z += step) {
      const double n = static_cast<double>(touched_.end.z - touched_.begin.z);
      const auto part = [&](std::int64_t to) {
        return static_cast<double>(std::min(to, touched_.end.z) - touched_.begin.z) / n;
      };
      if (Status done = read_slab(cells, z, std::min(z + step, touched_.end.z), where,
                                  context.part(part(z), part(z + step)));
          !done) {
        return done;
      }
    }
    return {};
  }

  [[nodiscard]] std::uint64_t count() const { return y_.size(); }
  [[nodiscard]] CropRows rows() const {
    return {level_, touched_.begin.z, touched_.begin.x, touched_.end.x, ends_, y_};
  }

  // Appends the values of these cells.
  Status append_values(const Hdf5Vector& vector, const FieldCoding& coding, FieldValues& all,
                       const JobContext& context) const {
    for (std::size_t i = 0; i < slabs_.size(); ++i) {
      const Slab& slab = slabs_[i];
      if (slab.begin == slab.end) continue;
      const double n = static_cast<double>(slabs_.size());
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
              into.insert(into.end(), from,
                          from + static_cast<std::ptrdiff_t>(stretches_[s].count));
            }
          },
          all);
    }
    return {};
  }

 private:
  // Planes [z0, z1), from the first row that the box touches to the last.
  Status read_slab(const AprCells& cells, std::int64_t z0, std::int64_t z1,
                   const std::string& where, const JobContext& context) {
    const auto rows =
        static_cast<std::uint64_t>((z1 - z0 - 1) * grid_.x + touched_.end.x - touched_.begin.x);
    const std::uint64_t first =
        first_entry_ + static_cast<std::uint64_t>(z0 * grid_.x + touched_.begin.x);
    std::vector<std::uint64_t> ends(rows + 1);
    if (Status got = cells.ends().read(first, ends.size(), ends.data(), context); !got) return got;
    if (!std::is_sorted(ends.begin(), ends.end()) || ends.back() > cells.count()) {
      return Error{"its rows are out of order", where, "the file is damaged"};
    }
    const Slab slab{ends.front(), ends.back(), stretches_.size(), 0};
    std::vector<std::uint16_t> y(slab.end - slab.begin);
    if (!y.empty()) {
      if (Status got = cells.y().read(slab.begin, y.size(), y.data(), context); !got) return got;
    }
    for (std::int64_t z = z0; z < z1; ++z) {
      for (std::int64_t x = touched_.begin.x; x < touched_.end.x; ++x) {
        const auto row = static_cast<std::size_t>((z - z0) * grid_.x + x - touched_.begin.x);
        const auto begin = y.begin() + static_cast<std::ptrdiff_t>(ends[row] - slab.begin);
        const auto end = y.begin() + static_cast<std::ptrdiff_t>(ends[row + 1] - slab.begin);
        const auto low = std::lower_bound(begin, end, touched_.begin.y);
        const auto high = std::lower_bound(low, end, touched_.end.y);
        if (low != high) {
          stretches_.push_back({slab.begin + static_cast<std::uint64_t>(low - y.begin()),
                                static_cast<std::uint64_t>(high - low)});
          y_.insert(y_.end(), low, high);
        }
        ends_.push_back(y_.size());
      }
    }
    slabs_.push_back(slab);
    slabs_.back().end_stretch = stretches_.size();
    return {};
  }

  int level_;
  Region touched_;
  Size3 grid_;
  // Of xz_end: where that of the level's first row begins.
  std::uint64_t first_entry_;
  std::vector<Slab> slabs_;
  std::vector<Stretch> stretches_;
  std::vector<std::uint64_t> ends_;
  std::vector<std::uint16_t> y_;
};

struct NamedVector {
  std::string name;
  Hdf5Vector vector;
};

// The fields; nothing where one does not fit the particles: load() says so.
Result<std::optional<std::vector<NamedVector>>> open_fields(const Hdf5Object& group,
                                                            const AprHeader& header) {
  std::vector<NamedVector> out;
  for (const std::string& field : header.fields) {
    auto vector = Hdf5Vector::open(group, field);
    if (!vector) return vector.error();
    if (vector->count() != header.particles) return std::optional<std::vector<NamedVector>>();
    out.push_back({field, *std::move(vector)});
  }
  return std::optional(std::move(out));
}

// Before more memory is taken: for so many cells of the file, their values and what is made of
// them.
Status check_room(std::uint64_t cells, std::span<const NamedVector> fields,
                  const std::string& where) {
  std::uint64_t each = 12;  // y, here and in the box, and where a cell comes from
  for (const NamedVector& field : fields) each += 2 * field.vector.type_size();
  const std::uint64_t left = available_bytes();
  if (left == 0 || cells * each <= left) return {};
  return Error{"the box has " + std::to_string(cells) + " particles or more, which need " +
                   format_bytes(cells * each) + " of memory where " + format_bytes(left) +
                   " are free",
               where, "take a smaller box"};
}

Result<std::vector<LevelCells>> read_cells(const AprCells& cells, const AprHeader& header,
                                           const Region& box, std::span<const NamedVector> fields,
                                           const std::string& where, const JobContext& context) {
  std::vector<LevelCells> levels;
  std::uint64_t count = 0;
  for (int l = 1; l <= header.level_max; ++l) {
    const double n = header.level_max;
    LevelCells level(header, box, l);
    if (Status read = level.read(cells, where, context.part((l - 1) / n, l / n)); !read) {
      return read.error();
    }
    count += level.count();
    if (Status room = check_room(count, fields, where); !room) return room.error();
    levels.push_back(std::move(level));
  }
  return levels;
}

Result<std::optional<Apr>> load_group(const AprFile& file, const std::string& name,
                                      const Region& box, const JobContext& context) {
  const auto opened = open_apr_group(file, name);
  if (!opened) return opened.error();
  const auto& [where, group, header] = *opened;
  if (header.random_access) return std::optional<Apr>();
  const auto cells = AprCells::open(group, header, 1, header.level_max, "");
  if (!cells) return cells.error();
  if (!*cells || (*cells)->count() != header.particles) return std::optional<Apr>();
  const auto fields = open_fields(group, header);
  if (!fields) return fields.error();
  if (!*fields) return std::optional<Apr>();
  // Before anything is read.
  if (Status inside = check_box(header.size, box); !inside) return at(where, inside.error());

  const auto levels =
      read_cells(**cells, header, box, **fields, where, context.part(0.0, kRowsShare));
  if (!levels) return levels.error();
  std::vector<CropRows> rows;
  std::uint64_t count = 0;
  for (const LevelCells& level : *levels) {
    rows.push_back(level.rows());
    count += level.count();
  }
  auto cut =
      crop_cells(header.size, header.level_max, box, rows, context.part(kRowsShare, kCellsShare));
  if (!cut) return at(where, cut.error());
  auto access = AprAccess::create(std::move(cut->cells));
  if (!access) return at(where, access.error());
  Apr apr = described_apr(header);
  apr.access = *access;
  const double parts = static_cast<double>((*fields)->size() * levels->size());
  double done = 0.0;
  for (const auto& [field, vector] : **fields) {
    FieldValues values = make_values(vector.type(), 0);
    std::visit([&](auto& list) { list.reserve(count); }, values);
    for (const LevelCells& level : *levels) {
      const auto share = [&](double part) { return kCellsShare + (1.0 - kCellsShare) * part; };
      const JobContext here = context.part(share(done / parts), share((done + 1.0) / parts));
      if (Status read = level.append_values(vector, header.coding, values, here); !read) {
        return at(where, read.error());
      }
      done += 1.0;
    }
    apr.fields.push_back(std::make_shared<const Field>(Field{field, values_of(values, cut->from)}));
  }
  take_labels(apr);
  context.report(1.0, "reading");
  return std::optional<Apr>(std::move(apr));
}

Result<std::optional<Apr>> load_checked(const SourceInfo& info, const SourceSelection& selection,
                                        const Region& box, const JobContext& context) {
  const auto file = open_apr_file(info.path.string(), context.stop_token());
  if (!file) return file.error();
  const std::string* group = file->groups.find(selection.channel, selection.time);
  // load() says what is there.
  if (group == nullptr) return std::optional<Apr>();
  auto apr = load_group(*file, *group, box, context);
  if (!apr || !*apr) return apr;
  (*apr)->channel = file->groups.channels[static_cast<std::size_t>(selection.channel)];
  (*apr)->channel_index = selection.channel;
  (*apr)->time = file->groups.times[static_cast<std::size_t>(selection.time)];
  return apr;
}

}  // namespace

Result<std::optional<Apr>> load_apr_crop(const SourceInfo& info, const SourceSelection& selection,
                                         const Region& box, const JobContext& context) {
  return load_watched(info, [&] { return load_checked(info, selection, box, context); });
}

}  // namespace aprscope
