#include "core/io/apr/apr_write.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/apr/structure/tree.hpp"
#include "core/base/atomic_file.hpp"
#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/apr_header.hpp"
#include "core/io/apr/apr_labels.hpp"

namespace aprscope {
namespace {

// Share of a part's progress for making it, where it has to be made first.
constexpr double kMakingShare = 0.85;

Status check_fields(const std::vector<std::shared_ptr<const Field>>& fields, std::uint64_t count,
                    const std::string& where) {
  std::set<std::string> names;
  for (const auto& field : fields) {
    if (!field) return Error{"a field is empty", where, "remove it"};
    const std::string& name = field->name;
    if (name.empty() || name == "." || name == kAprTree || is_structure_dataset(name) ||
        name.find_first_of(std::string("/\0", 2)) != std::string::npos) {
      return Error{"a field cannot be called \"" + name + "\"", where, "give it another name"};
    }
    if (!names.insert(name).second) {
      return Error{"two fields are called \"" + name + "\"", where, "rename one of them"};
    }
    if (field->count() != count) {
      return Error{"field \"" + name + "\" has " + std::to_string(field->count()) +
                       " values where " + std::to_string(count) + " belong",
                   where, "compute it again"};
    }
  }
  return {};
}

Status check(const Apr& apr, const std::string& where) {
  if (!apr.access) return Error{"there is no structure to write", where, "convert an image first"};
  if (Status fine = check_fields(fields_with_labels(apr), apr.access->count(), where); !fine) {
    return fine;
  }
  return check_fields(apr.tree_fields, apr.access->tree().count(), where);
}

Status write_access(hid_t group, const LinearAccess& access, const BloscPacking& packing,
                    const std::string& where, const JobContext& context) {
  if (Status y = write_vector(group, "y_vec", kU16, access.y().data(), access.count(), packing,
                              where, context.part(0, 0.5));
      !y) {
    return y;
  }
  return write_vector(group, "xz_end_vec", kU64, access.xz_end().data(), access.xz_end().size(),
                      packing, where, context.part(0.5, 1));
}

Status write_fields(hid_t group, const std::vector<std::shared_ptr<const Field>>& fields,
                    const BloscPacking& packing, const std::string& where,
                    const JobContext& context) {
  std::vector<std::string> names;
  for (const auto& field : fields) names.push_back(field->name);
  if (Status order = write_field_order(group, names, where); !order) return order;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const Field& field = *fields[i];
    const void* const data =
        std::visit([](const auto& v) { return static_cast<const void*>(v.data()); }, field.values);
    const double n = static_cast<double>(fields.size());
    const JobContext part =
        context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n);
    if (Status written = write_vector(group, field.name, static_cast<int>(field.values.index()),
                                      data, field.count(), packing, where, part);
        !written) {
      return written;
    }
  }
  return {};
}

// What groups of a file have in common.
struct Common {
  hid_t root;
  const AprWriteOptions& options;
  const std::string& where;
  // The structure that was written last.
  std::weak_ptr<const AprAccess> access = {};
  WrittenStructure written = {};
};

Status write_tree(hid_t parent, const Apr& apr, bool with_mean, const AprPacking& packing,
                  const WrittenStructure* same, const Common& common, const JobContext& context) {
  const std::string& where = common.where;
  std::vector<std::shared_ptr<const Field>> fields = apr.tree_fields;
  const auto main = apr.main_field();
  const bool there = main && std::any_of(fields.begin(), fields.end(),
                                         [&](const auto& f) { return f->name == main->name; });
  if (with_mean && main && !there) {
    auto mean = fill_tree(*apr.access, *main, Reduction::mean, context.part(0, 0.4));
    if (!mean) return mean.error();
    fields.push_back(std::make_shared<const Field>(Field{main->name, std::move(*mean)}));
  }
  auto group = create_tree_group(parent, apr.access->tree().count(), where);
  if (!group) return group.error();
  const bool linked = same != nullptr && same->with_tree;
  Status structure =
      linked ? link_structure(common.root, same->group + '/' + kAprTree, group->get(), where)
             : write_access(group->get(), apr.access->tree(), packing.structure, where,
                            context.part(0.4, 0.7));
  if (!structure) return structure;
  return write_fields(group->get(), fields, packing.fields, where, context.part(0.7, 1.0));
}

Status write_group(const std::string& name, const Apr& apr, Common& common,
                   const JobContext& context) {
  const AprAccess& access = *apr.access;
  const std::string& where = common.where;
  const AprWriteOptions& options = common.options;
  auto group = create_apr_group(common.root, name, apr,
                                {access.size(), access.level_max(), access.count()}, where);
  if (!group) return group.error();
  const bool means = options.with_tree.value_or(has_tree_by_default(access.size()));
  const AprPacking packing = packing_of(options, access.size());
  const bool tree = means || !apr.tree_fields.empty();
  const double end = tree ? 0.7 : 1.0;
  const bool shared = common.access.lock() == apr.access;
  const WrittenStructure before = std::exchange(common.written, {name, tree});
  common.access = apr.access;
  Status structure = shared ? link_structure(common.root, before.group, group->get(), where)
                            : write_access(group->get(), apr.access->particles(), packing.structure,
                                           where, context.part(0.0, 0.4 * end));
  if (!structure) return structure;
  if (Status fields = write_fields(group->get(), fields_with_labels(apr), packing.fields, where,
                                   context.part(0.4 * end, end));
      !fields) {
    return fields;
  }
  if (!tree) return {};
  return write_tree(group->get(), apr, means, packing, shared ? &before : nullptr, common,
                    context.part(end, 1.0));
}

struct Parts {
  std::size_t count = 0;
  const MakeApr& make;
  // Share of the progress of each part for making it.
  double making = 0.0;
};

Status write_file(const Parts& parts, const AprWriteOptions& options,
                  const std::filesystem::path& temporary, const std::string& where,
                  const JobContext& context) {
  auto file = NewAprFile::create(temporary, where);
  if (!file) return file.error();
  GroupNames names;
  Common common{file->root.get(), options, where};
  const double n = static_cast<double>(parts.count);
  for (std::size_t i = 0; i < parts.count; ++i) {
    const JobContext share =
        context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n);
    auto apr = parts.make(i, share.part(0.0, parts.making));
    if (!apr) return apr.error();
    if (Status fine = check(*apr, where); !fine) return fine;
    const auto name = names.next(*apr, where);
    if (!name) return name.error();
    Status written = write_group(*name, *apr, common, share.part(parts.making, 1.0));
    if (!written) return written;
  }
  return file->close(where);
}

Status write_parts(const Parts& parts, const std::filesystem::path& path,
                   const AprWriteOptions& options, const JobContext& context) {
  const std::string where = path.string();
  if (parts.count == 0) {
    return Error{"there is nothing to write", where, "choose at least one APR"};
  }
  try {
    return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
      if (context.stop_requested()) return cancelled_error();
      return write_file(parts, options, temporary, where, context);
    });
  } catch (const std::exception&) {
    return Error{"there is too little memory to write it", where, "close other data"};
  }
}

}  // namespace

Status write_apr_parts(std::size_t count, const MakeApr& part, const std::filesystem::path& path,
                       const AprWriteOptions& options, const JobContext& context) {
  return write_parts({count, part, kMakingShare}, path, options, context);
}

Status write_apr_series(const std::vector<Apr>& series, const std::filesystem::path& path,
                        const AprWriteOptions& options, const JobContext& context) {
  const MakeApr part = [&](std::size_t i, const JobContext&) -> Result<Apr> { return series[i]; };
  return write_parts({series.size(), part, 0.0}, path, options, context);
}

Status write_apr(const Apr& apr, const std::filesystem::path& path, const AprWriteOptions& options,
                 const JobContext& context) {
  return write_apr_series({apr}, path, options, context);
}

}  // namespace aprscope
