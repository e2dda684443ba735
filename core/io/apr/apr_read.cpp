#include <exception>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/base/system.hpp"
#include "core/io/apr/apr_errors.hpp"
#include "core/io/apr/apr_file.hpp"
#include "core/io/apr/apr_hdf5.hpp"
#include "core/io/apr/apr_header.hpp"
#include "core/io/apr/apr_labels.hpp"
#include "core/io/apr/apr_random_access.hpp"
#include "core/io/hdf5/hdf5_attributes.hpp"

namespace aprscope {
namespace {

Status check_memory(std::uint64_t bytes, const std::string& where) {
  const std::uint64_t available = available_bytes();
  if (available == 0 || bytes <= available) return {};
  return Error{
      "needs " + format_bytes(bytes) + " of memory where " + format_bytes(available) + " are free",
      where, "close other data or use a machine with more memory"};
}

// A structure dataset in the type that it must have (the sign of 2-byte integers does not matter:
// old files store y in signed ones).
template <class T>
Result<std::vector<T>> read_structure(const Hdf5Object& group, const char* name,
                                      std::uint64_t count, const JobContext& context) {
  const std::string where = group.where();
  auto vector = Hdf5Vector::open(group, name);
  if (!vector) return vector.error();
  const bool integer = vector->type() < 8;
  if (!integer || vector->type_size() != sizeof(T)) {
    return Error{"dataset " + std::string(name) + " has a wrong type", where,
                 "the file is damaged"};
  }
  if (vector->count() != count) {
    return Error{"dataset " + std::string(name) + " has " + std::to_string(vector->count()) +
                     " values where " + std::to_string(count) + " belong",
                 where, "the file is damaged"};
  }
  std::vector<T> values(count);
  if (Status read = vector->read(values.data(), context); !read) return read.error();
  return values;
}

// Assigns a result's value or leaves the function with its error.
#define APRSCOPE_READ(target, expression)               \
  do {                                                  \
    auto result_of_read = (expression);                 \
    if (!result_of_read) return result_of_read.error(); \
    (target) = std::move(*result_of_read);              \
  } while (false)

Result<LinearFromRandom> read_linear(const Hdf5Object& group, const AprHeader& header,
                                     const JobContext& context) {
  LinearFromRandom out;
  APRSCOPE_READ(
      out.y, read_structure<std::uint16_t>(group, "y_vec", header.particles, context.part(0, 0.5)));
  APRSCOPE_READ(out.xz_end, read_structure<std::uint64_t>(
                                group, "xz_end_vec",
                                row_entries(header.size, header.level_max, 1, header.level_max),
                                context.part(0.5, 1)));
  return out;
}

Result<LinearFromRandom> read_random(const Hdf5Object& root, const Hdf5Object& group,
                                     const AprHeader& header, const JobContext& context) {
  const std::string where = group.where();
  const auto stated = [&](const char* name) {
    const auto here = read_integer_attribute(group, name);
    return here ? here : read_integer_attribute(root, name);
  };
  const auto rows = stated("total_number_non_empty_rows");
  const auto runs = stated("total_number_gaps");
  // Every row and every run holds a particle.
  if (!rows || !runs || *rows > header.particles || *runs > header.particles) {
    return Error{"says nothing credible about its rows", where, "the file is damaged"};
  }
  RandomAccessMaps maps;
  const auto map = [&](const char* name, std::uint64_t count) {
    return read_structure<std::uint16_t>(group, name, count, context);
  };
  APRSCOPE_READ(maps.level, read_structure<std::uint8_t>(group, "map_level", *rows, context));
  APRSCOPE_READ(maps.z, map("map_z", *rows));
  APRSCOPE_READ(maps.x, map("map_x", *rows));
  APRSCOPE_READ(maps.run_count, map("map_number_gaps", *rows));
  APRSCOPE_READ(maps.end_difference, map("map_global_index", *rows));
  APRSCOPE_READ(maps.y_begin, map("map_y_begin", *runs));
  APRSCOPE_READ(maps.y_end, map("map_y_end", *runs));
  auto linear = linear_from_random(header.size, header.level_max, maps, header.particles, context);
  if (!linear) return in_file(where, linear.error());
  return linear;
}

Result<std::shared_ptr<const Field>> read_field(const Hdf5Vector& vector, const std::string& name,
                                                const FieldCoding& coding, const std::string& where,
                                                const JobContext& context) {
  auto values = read_values(vector, context);
  if (!values) return values.error();
  if (auto* intensities = std::get_if<std::vector<std::uint16_t>>(&*values);
      coding.wnl && intensities != nullptr) {
    if (Status decoded = wnl_decode(std::span(*intensities), coding.parameters, context);
        !decoded) {
      return in_file(where + ":" + name, decoded.error());
    }
  }
  return std::make_shared<const Field>(Field{name, std::move(*values)});
}

// Whether the tree in the file, if it is in the linear layout, is the one that follows from the
// particles.
Result<bool> tree_agrees(const Hdf5Object& tree, const AprAccess& access,
                         const JobContext& context) {
  const auto there = tree.reader->kind(tree.child("y_vec").path);
  if (!there) return there.error();
  if (!*there) return true;
  const LinearAccess& ours = access.tree();
  auto y = Hdf5Vector::open(tree, "y_vec");
  if (!y) return y.error();
  auto ends = Hdf5Vector::open(tree, "xz_end_vec");
  if (!ends) return ends.error();
  if (y->count() != ours.count() || ends->count() != ours.xz_end().size()) return false;
  auto y_values = read_values(*y, context);
  if (!y_values) return y_values.error();
  auto end_values = read_values(*ends, context);
  if (!end_values) return end_values.error();
  const auto* y16 = std::get_if<std::vector<std::uint16_t>>(&*y_values);
  const auto* end64 = std::get_if<std::vector<std::uint64_t>>(&*end_values);
  return y16 != nullptr && end64 != nullptr &&
         std::equal(y16->begin(), y16->end(), ours.y().begin()) &&
         std::equal(end64->begin(), end64->end(), ours.xz_end().begin());
}

Status read_tree_fields(const Hdf5Object& root, const Hdf5Object& group, const AprHeader& header,
                        const JobContext& context, Apr& apr) {
  const Hdf5Object tree = group.child(kAprTree);
  const std::string where = tree.where();
  const auto kind = tree.reader->kind(tree.path);
  if (!kind) return kind.error();
  if (!*kind) return {};
  const auto children = tree.reader->children(tree.path);
  if (!children) return children.error();
  std::vector<std::string> ignored;
  const std::vector<std::string> names = field_names(tree, *children, ignored);
  if (names.empty()) return tree.reader->status();
  const auto drop = [&](const std::string& what) {
    apr.history.push_back("open: left out " + what);
  };
  auto agrees = tree_agrees(tree, *apr.access, context);
  if (!agrees) return agrees.error();
  if (!*agrees) {
    drop("the tree's fields, whose tree does not belong to the particles");
    return {};
  }
  auto coding = read_field_coding(tree, root, header.parameters);
  if (!coding) return coding.error();
  for (const std::string& name : names) {
    auto vector = Hdf5Vector::open(tree, name);
    if (!vector) return vector.error();
    if (vector->count() != apr.access->tree().count()) {
      drop("field " + name + " of the tree, which has " + std::to_string(vector->count()) +
           " values for " + std::to_string(apr.access->tree().count()) + " cells");
      continue;
    }
    if (Status fits = check_memory(vector->bytes(), where); !fits) return fits;
    auto field = read_field(*vector, name, *coding, where, context);
    if (!field) return field.error();
    apr.tree_fields.push_back(std::move(*field));
  }
  return tree.reader->status();
}

Result<Apr> load_group(const AprFile& file, const std::string& name, const JobContext& context) {
  const auto opened = open_apr_group(file, name);
  if (!opened) return opened.error();
  const auto& [where, group, header] = *opened;

  std::vector<Hdf5Vector> vectors;
  std::uint64_t bytes =
      header.particles * sizeof(std::uint16_t) +
      row_entries(header.size, header.level_max, 1, header.level_max) * sizeof(std::uint64_t);
  for (const std::string& field : header.fields) {
    auto vector = Hdf5Vector::open(group, field);
    if (!vector) return vector.error();
    if (vector->count() != header.particles) {
      return Error{"field " + field + " has " + std::to_string(vector->count()) + " values for " +
                       std::to_string(header.particles) + " particles",
                   where, "the file is damaged"};
    }
    bytes += vector->bytes();
    vectors.push_back(std::move(*vector));
  }
  if (Status fits = check_memory(bytes, where); !fits) return fits.error();

  const JobContext structure_part = context.part(0.0, 0.4);
  LinearFromRandom linear;
  if (header.random_access) {
    APRSCOPE_READ(linear, read_random(file.root, group, header, structure_part));
  } else {
    APRSCOPE_READ(linear, read_linear(group, header, structure_part));
  }
  Apr apr = described_apr(header);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const double n = static_cast<double>(vectors.size());
    const double from = 0.4 + 0.3 * static_cast<double>(i) / n;
    auto field = read_field(vectors[i], header.fields[i], header.coding, where,
                            context.part(from, from + 0.3 / n));
    if (!field) return field.error();
    if (!header.linear_order) {
      Field ordered = **field;
      if (Status done =
              reorder_finest(header.size, header.level_max, linear, ordered.values, context);
          !done) {
        return done.error();
      }
      *field = std::make_shared<const Field>(std::move(ordered));
    }
    apr.fields.push_back(std::move(*field));
  }
  take_labels(apr);

  context.report(0.7, "checking");
  if (context.stop_requested()) return cancelled_error();
  auto particles = LinearAccess::create(header.size, header.level_max, 1, header.level_max,
                                        std::move(linear.y), std::move(linear.xz_end));
  if (!particles) return in_file(where, particles.error());
  if (context.stop_requested()) return cancelled_error();
  auto access = AprAccess::create(std::move(*particles));
  if (!access) return in_file(where, access.error());
  apr.access = std::move(*access);
  if (Status tree = read_tree_fields(file.root, group, header, context.part(0.9, 1.0), apr);
      !tree) {
    return tree.error();
  }
  context.report(1.0, "reading");
  return apr;
}

Result<SourceInfo> inspect_checked(const Result<AprFile>& file) {
  if (!file) return file.error();
  const auto first = open_apr_group(*file, file->groups.places.front().group);
  if (!first) return first.error();
  const auto& [where, group, header] = *first;
  SourceInfo info;
  info.path = file->path;
  info.format = "APR";
  info.is_apr = true;
  info.size = header.size;
  info.voxel = header.voxel;
  info.channels = file->groups.channels;
  for (std::size_t i = 0; i < info.channels.size(); ++i) {
    if (info.channels[i].empty()) info.channels[i] = std::to_string(i);
  }
  info.times = static_cast<int>(file->groups.times.size());
  info.particles = header.particles;
  info.fields = header.fields;
  if (const std::string main = main_field_name(header.fields); !main.empty()) {
    auto vector = Hdf5Vector::open(group, main);
    if (!vector) return vector.error();
    const Field empty{main, make_values(vector->type(), 0)};
    info.dtype = empty.dtype();
  }
  info.file_bytes = group.reader->file_bytes();
  return info;
}

Result<Apr> load_checked(const SourceInfo& info, const SourceSelection& selection,
                         const JobContext& context) {
  auto file = open_apr_file(info.path.string(), context.stop_token());
  if (!file) return file.error();
  const std::string* group = file->groups.find(selection.channel, selection.time);
  if (group == nullptr) {
    return Error{"holds no channel " + std::to_string(selection.channel) + " at time point " +
                     std::to_string(selection.time),
                 file->path,
                 "it has " + std::to_string(file->groups.channels.size()) + " channels and " +
                     std::to_string(file->groups.times.size()) + " time points, counted from 0"};
  }
  auto apr = load_group(*file, *group, context);
  if (!apr) return apr;
  apr->channel = file->groups.channels[static_cast<std::size_t>(selection.channel)];
  apr->channel_index = selection.channel;
  apr->time = file->groups.times[static_cast<std::size_t>(selection.time)];
  return apr;
}

// Turns exceptions into an error: here they can only mean that memory is short.
template <class F>
auto without_exceptions(const std::string& where, F&& f) -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception&) {
    return Error{"does not fit into memory", where,
                 "close other data or use a machine with more memory"};
  }
}

}  // namespace

Result<SourceInfo> inspect_apr(const std::filesystem::path& path, const JobContext& context) {
  return without_exceptions(path.string(), [&] {
    return inspect_checked(open_apr_file(path.string(), context.stop_token()));
  });
}

Result<SourceInfo> inspect_apr(const std::shared_ptr<Hdf5Reader>& reader) {
  return without_exceptions(reader->path().string(),
                            [&] { return inspect_checked(open_apr_file(reader)); });
}

Result<Apr> load_apr(const SourceInfo& info, const SourceSelection& selection,
                     const JobContext& context) {
  return without_exceptions(info.path.string(),
                            [&] { return load_checked(info, selection, context); });
}

}  // namespace aprscope
