#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/nameless_file.hpp"
#include "core/io/apr/vector_pieces.hpp"
#include "core/io/hdf5/hdf5_handle.hpp"

// Private to core/io: one-dimensional datasets of .apr files, written piece by piece.

namespace aprscope {

/// A new dataset of `count` values that arrive in any order, each once: what fills no chunk yet is
/// kept until the rest of the chunk is there. Chunks are packed by all threads.
class VectorWriter {
 public:
  /// Creates dataset `name` (chunks of min(count, 100000) values, packed by blosc) of
  /// `count` > 0 values of FieldValues type `type`. Error: it cannot be created.
  static Result<VectorWriter> create(hid_t group, const std::string& name, int type,
                                     std::uint64_t count, const BloscPacking& packing,
                                     const std::string& where);

  /// A writer of a dataset that store() creates later, for files whose datasets follow each other:
  /// until then its packed chunks wait in a nameless file in `folder`. Error: that cannot be made.
  static Result<VectorWriter> spooled(const std::filesystem::path& folder, const std::string& name,
                                      int type, std::uint64_t count, const BloscPacking& packing,
                                      const std::string& where);

  /// Writes the values [begin, begin + count). Errors: the disk is full, cancelled.
  Status write(std::uint64_t begin, const void* values, std::uint64_t count,
               const JobContext& context);

  /// Writes a piece that cut_into_pieces() made, anywhere, for the same chunks. Errors: the disk is
  /// full.
  Status take(const VectorPiece& piece);

  /// Ends writing after the last value. Errors: some are missing, the disk is full.
  Status finish();
  /// finish() of a spooled writer: creates the dataset in `group` and writes its chunks. Errors:
  /// also cancelled.
  Status store(hid_t group, const JobContext& context);

  [[nodiscard]] std::uint64_t count() const { return chunks_.count; }

 private:
  struct Pending {
    std::vector<std::uint8_t> bytes;
    std::uint64_t filled = 0;
  };

  // Where a packed chunk waits in the nameless file.
  struct Waiting {
    std::uint64_t offset = 0;
    std::size_t bytes = 0;
    std::uint32_t skipped = 0;
  };

  VectorWriter(std::string name, int type, std::uint64_t count, const BloscPacking& packing,
               std::string where);
  [[nodiscard]] Error failed() const;
  Status create_dataset(hid_t group);
  [[nodiscard]] Status complete() const;
  Status write_chunk(std::uint64_t chunk, std::uint32_t skipped, const std::uint8_t* stored,
                     std::size_t bytes);
  Status put(const VectorPiece& piece);

  Hdf5Handle dataset_;
  std::optional<NamelessFile> spool_;
  std::map<std::uint64_t, Waiting> waiting_;
  std::string name_, where_;
  VectorChunks chunks_;
  std::uint64_t written_ = 0;
  std::map<std::uint64_t, Pending> pending_;
};

}  // namespace aprscope
