#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/io/common/read_files.hpp"
#include "core/io/hdf5/hdf5_convert.hpp"
#include "core/io/hdf5/hdf5_reader.hpp"

// Private to core/io: reading the values of HDF5 datasets.

namespace aprscope {

/// Start and number of elements along each dimension of a dataset.
struct Hdf5Box {
  std::vector<std::uint64_t> start, count;

  [[nodiscard]] std::uint64_t elements() const;
};

/// A dataset of numbers whose values can be read. This class, not the HDF5 library, reads bytes
/// from the file and decodes chunks, with all threads; every size is checked against what was
/// promised. Values in other files (external storage, virtual datasets) are read where these are
/// regular files in the same folder and hold the values themselves.
class Hdf5Array {
 public:
  /// Errors name file and dataset: not a dataset, not numbers, a filter that is not known here, a
  /// description that cannot be true.
  static Result<Hdf5Array> open(const Hdf5Object& object);

  [[nodiscard]] const Hdf5Dataset& facts() const { return facts_; }
  [[nodiscard]] const Hdf5Object& object() const { return object_; }
  /// From now on signed numbers are read as unsigned numbers with the same bits.
  void take_as_unsigned() { facts_.type.is_signed = false; }

  /// From now on a value that was never written is an error instead of the fill value.
  void demand_all_values() { all_values_ = true; }

  /// Reads a box, which lies inside the dataset, row by row into `out`, as own_type() of the
  /// dataset, f32 or f64. Errors: damaged data, other files that are not there or have changed
  /// since they were read first, too little memory, cancelled.
  Status read(const Hdf5Box& box, NumberType target, void* out, const JobContext& context) const;

  /// The chunks [first, end) of a dataset of one dimension as they lie in the file, in order, each
  /// with the mask of filters that it went without. Errors: those of `take`, damaged data, a chunk
  /// that was never written, cancelled.
  Status read_stored(std::uint64_t first, std::uint64_t end,
                     const std::function<Status(std::uint64_t chunk, std::uint32_t skipped,
                                                std::span<const std::uint8_t> bytes)>& take,
                     const JobContext& context) const;

 private:
  Hdf5Array(Hdf5Object object, Hdf5Dataset facts);
  [[nodiscard]] Status check() const;
  void fill_box(const Hdf5Box& box, NumberType target, std::uint8_t* out) const;
  Status read_plain(const Hdf5Box& box, NumberType target, std::uint8_t* out,
                    const JobContext& context) const;
  Status read_chunks(const Hdf5Box& box, NumberType target, std::uint8_t* out,
                     const JobContext& context) const;
  Status read_mapped(const Hdf5Box& box, NumberType target, std::uint8_t* out,
                     const JobContext& context) const;
  /// Bytes of values that do not lie in chunks, `offset` counted from the first value.
  Status read_bytes(std::uint64_t offset, std::uint8_t* out, std::size_t bytes) const;
  Status read_external(std::uint64_t offset, std::uint8_t* out, std::size_t bytes) const;
  [[nodiscard]] Error damaged(const std::string& what) const;

  Hdf5Object object_;
  Hdf5Dataset facts_;
  bool all_values_ = false;
  /// Files of Hdf5Dataset::external, in its order.
  std::vector<std::shared_ptr<RegularFile>> files_;
  /// Other files that values came from so far.
  std::shared_ptr<ReadFiles> others_ = std::make_shared<ReadFiles>();
};

/// The regular file `name` in the folder of `beside`, not through a link; errors say that `where`
/// needs it.
Result<std::filesystem::path> file_beside(const std::filesystem::path& beside,
                                          const std::string& name, const std::string& where);

}  // namespace aprscope
