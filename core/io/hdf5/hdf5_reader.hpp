#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/regular_file.hpp"
#include "core/base/result.hpp"
#include "core/io/common/byte_reader.hpp"
#include "core/io/hdf5/hdf5_channel.hpp"
#include "core/io/hdf5/hdf5_description.hpp"
#include "core/io/hdf5/hdf5_wire.hpp"

// Private to core/io: an HDF5 file that is open for reading.

namespace aprscope {

/// A file whose structure a helper process reads (hdf5_helper.hpp), while the pixels are read here,
/// from file(). If the helper dies, takes too long or is stopped, this reader has failed, and every
/// later answer is that error. Thread-safe.
class Hdf5Reader {
 public:
  /// Opens a file. Errors: missing, no regular file, not readable, not HDF5, damaged, cancelled.
  static Result<std::shared_ptr<Hdf5Reader>> open(const std::filesystem::path& path,
                                                  const std::stop_token& stop = {});
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
  [[nodiscard]] const RegularFile& file() const { return file_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }

  /// Kind, children and description of objects, see Hdf5Library. Errors name file and object.
  Result<std::optional<Hdf5ObjectKind>> kind(const std::string& object);
  Result<std::vector<Hdf5Child>> children(const std::string& group);
  Result<Hdf5Dataset> dataset(const std::string& object);
  /// An attribute; none when the object has none of that name. Asks for all of an object at once.
  Result<std::optional<Hdf5Attribute>> attribute(const std::string& object,
                                                 const std::string& name);
  /// Names of all attributes of an object, also of those that cannot be read.
  Result<std::vector<std::string>> attribute_names(const std::string& object);
  /// Gives back the memory of an object's attributes, which are kept once they were asked for.
  void forget_attributes(const std::string& object);
  /// Where the chunks of a box lie, for any number of chunks.
  Result<std::vector<Hdf5Place>> places(const std::string& dataset,
                                        const std::vector<std::uint64_t>& first,
                                        const std::vector<std::uint64_t>& last);

  /// The first failure, of those reported to fail() and of the helper itself. Functions that return
  /// none for "is not there" report damage to fail().
  [[nodiscard]] Status status() const;
  void fail(Error error);

  /// The file and an object in it, for errors.
  [[nodiscard]] std::string where(const std::string& object) const;

 private:
  Hdf5Reader(RegularFile file, std::uint64_t file_bytes, const std::stop_token& stop);
  Result<std::vector<std::uint8_t>> answer_to(const std::vector<std::uint8_t>& request,
                                              const std::string& object);
  Result<std::vector<std::uint8_t>> ask(Hdf5Word word, const std::string& object,
                                        const ByteWriter& arguments = {});
  // All attributes of an object, asked for once. `keeping_` is held.
  Result<const std::vector<Hdf5Attribute>*> kept_attributes(const std::string& object);
  template <class T>
  Result<T> asked(Hdf5Word word, const std::string& object, const ByteWriter& arguments = {});

  RegularFile file_;
  std::uint64_t file_bytes_ = 0;
  std::stop_token stop_;
  std::mutex asking_;
  // The channel to the helper; null once it has failed.
  std::unique_ptr<Hdf5Channel> channel_;
  std::mutex keeping_;
  std::map<std::string, std::vector<Hdf5Attribute>> attributes_;
  mutable std::mutex failing_;
  Status failure_;
};

/// A group or dataset of a file.
struct Hdf5Object {
  std::shared_ptr<Hdf5Reader> reader;
  /// Path in the file: "/a/b"; "" is the root.
  std::string path;

  [[nodiscard]] Hdf5Object child(const std::string& name) const {
    return {reader, path + "/" + name};
  }
  [[nodiscard]] std::string where() const { return reader->where(path); }
};

}  // namespace aprscope
