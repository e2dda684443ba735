#include "core/io/apr/apr_join.hpp"

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "core/base/atomic_file.hpp"
#include "core/io/apr/apr_copy.hpp"
#include "core/io/apr/apr_group_write.hpp"
#include "core/io/apr/apr_header.hpp"
#include "core/io/apr/apr_slabs_impl.hpp"

namespace aprscope {
namespace {

// Shares of the progress of a part: until its structure, and its fields, are written.
constexpr double kJoinedStructure = 0.3;
constexpr double kJoinedFields = 0.8;

Status copy_fields(const AprFileSlabs::Impl& from, hid_t to, const BloscPacking& packing,
                   const std::string& where, const JobContext& context) {
  const std::vector<std::string>& names = from.header.fields;
  if (Status order = write_field_order(to, names, where); !order) return order;
  const double n = static_cast<double>(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto field = Hdf5Vector::open(from.group, names[i]);
    if (!field) return field.error();
    Status copied =
        copy_vector(*field, Copied::as_stored, to, names[i], field->type(), packing, where,
                    context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n));
    if (!copied) return copied;
  }
  return {};
}

Status copy_tree(const AprFileSlabs::Impl& from, hid_t to, const AprPacking& packing,
                 const std::string& where, const JobContext& context) {
  auto tree = create_tree_group(to, from.tree->count(), where);
  if (!tree) return tree.error();
  Status structure = copy_structure(*from.tree, Copied::as_stored, tree->get(), packing.structure,
                                    where, context.part(0.0, 0.6));
  if (!structure) return structure;
  const auto& means = from.tree->values();
  if (!means) return {};
  return copy_vector(*means, Copied::as_stored, tree->get(), from.field, means->type(),
                     packing.fields, where, context.part(0.6, 1.0));
}

Status copy_part(const AprFileSlabs& part, int channel_index, NewAprFile& file, GroupNames& names,
                 const AprWriteOptions& options, const std::string& where,
                 const JobContext& context) {
  const AprFileSlabs::Impl& from = part.impl();
  Apr facts = from.facts;
  facts.channel_index = channel_index;
  const auto name = names.next(facts, where);
  if (!name) return name.error();
  auto group = create_apr_group(file.root.get(), *name, facts,
                                {part.size(), part.level_max(), part.count()}, where);
  if (!group) return group.error();
  const AprPacking packing = packing_of(options, part.size());
  Status structure = copy_structure(from.particles, Copied::as_stored, group->get(),
                                    packing.structure, where, context.part(0.0, kJoinedStructure));
  if (!structure) return structure;
  Status fields = copy_fields(from, group->get(), packing.fields, where,
                              context.part(kJoinedStructure, kJoinedFields));
  if (!fields) return fields;
  if (from.tree) {
    Status tree = copy_tree(from, group->get(), packing, where, context.part(kJoinedFields, 1.0));
    if (!tree) return tree;
  }
  return part.unchanged();
}

Status write_joined(std::span<const AprPartFile> parts, const std::filesystem::path& temporary,
                    const AprWriteOptions& options, const std::string& where,
                    const JobContext& context) {
  auto file = NewAprFile::create(temporary, where);
  if (!file) return file.error();
  GroupNames names;
  const double n = static_cast<double>(parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto part = AprFileSlabs::open(parts[i].file, {}, JobContext(context.stop_token()));
    if (!part) return part.error();
    if (!*part) {
      return Error{"cannot be read slab by slab", parts[i].file.path.string(),
                   "work on it in memory, without a limit of memory"};
    }
    Status copied =
        copy_part(**part, parts[i].channel_index, *file, names, options, where,
                  context.part(static_cast<double>(i) / n, static_cast<double>(i + 1) / n));
    if (!copied) return copied;
  }
  return file->close(where);
}

}  // namespace

Status join_apr_files(std::span<const AprPartFile> parts, const std::filesystem::path& path,
                      const AprWriteOptions& options, const JobContext& context) {
  const std::string where = path.string();
  if (parts.empty()) return Error{"there is nothing to write", where, "choose at least one APR"};
  try {
    return write_atomically(path, [&](const std::filesystem::path& temporary) -> Status {
      if (context.stop_requested()) return cancelled_error();
      return write_joined(parts, temporary, options, where, context);
    });
  } catch (const std::exception&) {
    return Error{"there is too little memory to write it", where, "close other data"};
  }
}

}  // namespace aprscope
