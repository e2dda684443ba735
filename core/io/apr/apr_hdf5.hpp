#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/apr/structure/apr.hpp"
#include "core/base/job_context.hpp"
#include "core/io/apr/vector_pieces.hpp"
#include "core/io/hdf5/hdf5_array.hpp"
#include "core/io/hdf5/hdf5_handle.hpp"

// Private to core/io: one-dimensional datasets, as .apr files use them, and writing of attributes
// and datasets, which takes hdf5_mutex() itself.

namespace aprscope {

/// Attributes of one element (dimensions (1)) resp. scalar fixed-length strings, as the reference
/// library writes them. False on failure.
bool write_attribute(hid_t object, const char* name, std::uint64_t value);
bool write_attribute(hid_t object, const char* name, std::int32_t value);
bool write_attribute(hid_t object, const char* name, float value);
bool write_attribute(hid_t object, const char* name, double value);
bool write_attribute(hid_t object, const char* name, const std::string& text);

/// An opened one-dimensional dataset of one of the types of FieldValues.
class Hdf5Vector {
 public:
  /// Opens a dataset. Errors: missing, not one-dimensional, not numbers, or fewer bytes in the file
  /// than its length needs.
  static Result<Hdf5Vector> open(const Hdf5Object& group, const std::string& name);

  [[nodiscard]] std::uint64_t count() const { return array_.facts().extent[0]; }
  /// Index of the type in FieldValues.
  [[nodiscard]] int type() const { return static_cast<int>(own_type(array_.facts().type)); }
  [[nodiscard]] std::size_t type_size() const { return array_.facts().type.size; }
  [[nodiscard]] std::uint64_t bytes() const { return count() * type_size(); }

  /// Reads all values in their own type into `target`, which has room for bytes(). Errors: damaged
  /// data, cancelled.
  Status read(void* target, const JobContext& context) const;
  /// The same of the values [begin, begin + count), which exist; of chunks only those that hold
  /// any.
  Status read(std::uint64_t begin, std::uint64_t count, void* target,
              const JobContext& context) const;

  /// Whether chunks are of the same length and packed by the same filter with the same settings, so
  /// that they can be copied. Blosc's blocks within a chunk are not among these.
  [[nodiscard]] bool is_stored_as(const VectorChunks& chunks) const;
  /// All of its chunks as they are stored, in order: packed pieces. Nobody looks at what is in
  /// them.
  Status read_pieces(const std::function<Status(const VectorPiece& piece)>& take,
                     const JobContext& context) const;

 private:
  explicit Hdf5Vector(Hdf5Array array) : array_(std::move(array)) {}

  Hdf5Array array_;
};

/// True for a dataset that Hdf5Vector::open() can read if it is not damaged.
bool is_vector(const Hdf5Child& dataset);

/// An empty FieldValues of a type, resized to `count`.
FieldValues make_values(int type, std::uint64_t count);

/// Reads a whole dataset, or its values [begin, begin + count).
Result<FieldValues> read_values(const Hdf5Vector& vector, const JobContext& context);
Result<FieldValues> read_values(const Hdf5Vector& vector, std::uint64_t begin, std::uint64_t count,
                                const JobContext& context);

/// Creates dataset `name` (chunks of min(count, 100000) values, packed by blosc) and writes
/// `count` > 0 values of FieldValues type `type`. Errors: the disk is full, cancelled.
Status write_vector(hid_t group, const std::string& name, int type, const void* values,
                    std::uint64_t count, const BloscPacking& packing, const std::string& where,
                    const JobContext& context);

}  // namespace aprscope
