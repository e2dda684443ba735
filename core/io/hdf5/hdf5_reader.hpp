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
/// from file(). Where the helper dies, does not come to an end or is made to stop, this
/// reader has failed: it says so in every later answer. Thread-safe.
class Hdf5Reader {
 public:
  /// Errors name the file: missing, no regular file, not readable, not HDF5, damaged, cancelled.
  static Result<std::shared_ptr<Hdf5Reader>> open(const std::filesystem::path& path,
                                                  const std::stop_token& stop = {});
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }
  [[nodiscard]] const RegularFile& file() const { return file_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
  [[nodiscard]] const std::stop_token& stop() const { return stop_; }

  /// See Hdf5Library. Errors name file and object.
  Result<std::optional<Hdf5ObjectKind>> kind(const std::string& object);
  Result<std::vector<Hdf5Child>> children(const std::string& group);
  Result<Hdf5Dataset> dataset(const std::string& object);
  /// Nothing when the object has none of that name. Asks for all attributes of an object once.
  Result<std::optional<Hdf5Attribute>> attribute(const std::string& object,
                                                 const std::string& name);
  /// Any number of chunks of the box.
  Result<std::vector<Hdf5Place>> places(const std::string& dataset,
                                        const std::vector<std::uint64_t>& first,
                                        const std::vector<std::uint64_t>& last);

  /// What failed first, of all that fail() was told and of the helper itself. Functions that return
  /// nothing for "is not there" tell it what they found damaged.
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
  template <class T>
  Result<T> asked(Hdf5Word word, const std::string& object, const ByteWriter& arguments = {});

  RegularFile file_;
  std::uint64_t file_bytes_ = 0;
  std::stop_token stop_;
  std::mutex asking_;
  // None once it has failed.
  std::unique_ptr<Hdf5Channel> channel_;
  std::mutex keeping_;
  std::map<std::string, std::vector<Hdf5Attribute>> attributes_;
  mutable std::mutex failing_;
  Status failure_;
};

/// A group or dataset of a file.
struct Hdf5Object {
  std::shared_ptr<Hdf5Reader> reader;
  /// "/a/b"; "" is the root.
  std::string path;

  [[nodiscard]] Hdf5Object child(const std::string& name) const {
    return {reader, path + "/" + name};
  }
  [[nodiscard]] std::string where() const { return reader->where(path); }
};

}  // namespace aprscope
