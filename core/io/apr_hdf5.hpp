#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/apr/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/io/hdf5_handle.hpp"

// Private to core/io: attributes and one-dimensional datasets, as .apr files use them. Every
// function takes hdf5_mutex() itself.

namespace aprscope {

/// A number attribute of one element, in any integer or floating-point type; nothing when it is
/// missing or something else.
std::optional<std::uint64_t> read_integer_attribute(hid_t object, const char* name);
std::optional<double> read_number_attribute(hid_t object, const char* name);
/// A string attribute (fixed or variable length) up to its first NUL.
std::optional<std::string> read_text_attribute(hid_t object, const char* name);

/// Attributes of one element (dimensions (1)) resp. scalar fixed-length strings, as the reference
/// library writes them. False on failure.
bool write_attribute(hid_t object, const char* name, std::uint64_t value);
bool write_attribute(hid_t object, const char* name, std::int32_t value);
bool write_attribute(hid_t object, const char* name, float value);
bool write_attribute(hid_t object, const char* name, double value);
bool write_attribute(hid_t object, const char* name, const std::string& text);

/// Names of the hard links in a group, in the order of their names, with the kind of object.
struct Hdf5Child {
  std::string name;
  bool is_group = false;
  bool is_dataset = false;
};
std::vector<Hdf5Child> hdf5_children(hid_t group);

/// An opened one-dimensional dataset of one of the types of FieldValues.
class Hdf5Vector {
 public:
  /// Errors: missing, not one-dimensional, not numbers, or fewer bytes in the file than its length
  /// needs. `where` names the file for errors.
  static Result<Hdf5Vector> open(hid_t group, const std::string& name, const std::string& where);

  /// True for a dataset that open() can read if it is not damaged.
  static bool is_vector(hid_t group, const std::string& name);

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Index of the type in FieldValues.
  [[nodiscard]] int type() const { return type_; }
  [[nodiscard]] std::size_t type_size() const;
  [[nodiscard]] std::uint64_t bytes() const { return count_ * type_size(); }

  /// Reads all values in their own type into `target`, which has room for bytes(). Errors: damaged
  /// data, cancelled.
  Status read(void* target, const JobContext& context) const;
  /// The same of the values [begin, begin + count), which exist; of chunks only those that hold
  /// any.
  Status read(std::uint64_t begin, std::uint64_t count, void* target,
              const JobContext& context) const;

 private:
  [[nodiscard]] Status check_storage(std::uint64_t file_bytes) const;
  Status read_chunks(std::uint64_t begin, std::uint64_t end, void* target,
                     const JobContext& context) const;
  Status read_blocks(std::uint64_t begin, std::uint64_t end, void* target,
                     const JobContext& context) const;
  [[nodiscard]] Error damaged(const std::string& what) const;

  Hdf5Handle dataset_;
  std::string where_;
  std::uint64_t count_ = 0;
  int type_ = 0;
  /// Values a chunk; 0 for a dataset that is not chunked.
  std::uint64_t chunk_ = 0;
  /// Chunks are plain or blosc and in this machine's byte order: they are unpacked here, where
  /// every size is checked, and in parallel.
  bool own_decoding_ = false;
};

/// An empty FieldValues of a type, resized to `count`.
FieldValues make_values(int type, std::uint64_t count);

/// Reads a whole dataset, or its values [begin, begin + count).
Result<FieldValues> read_values(const Hdf5Vector& vector, const JobContext& context);
Result<FieldValues> read_values(const Hdf5Vector& vector, std::uint64_t begin, std::uint64_t count,
                                const JobContext& context);

/// Creates dataset `name` (chunks of min(count, 100000) values, blosc/zstd at `level`) and writes
/// `count` > 0 values of FieldValues type `type`. Errors: the disk is full, cancelled.
Status write_vector(hid_t group, const std::string& name, int type, const void* values,
                    std::uint64_t count, unsigned level, const std::string& where,
                    const JobContext& context);

}  // namespace aprscope
