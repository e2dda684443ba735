#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/io/apr/apr_slabs.hpp"
#include "core/io/apr/vector_pieces.hpp"

namespace aprscope {

/// Takes the new values of a file, in any order, each once.
class AprValueSink {
 public:
  virtual ~AprValueSink() = default;
  /// Puts values of the particles from `begin` on. Errors: the disk is full, cancelled.
  virtual Status put(std::uint64_t begin, std::span<const float> values) = 0;
  /// Puts means of the interior cells from `begin` on; only where the tree is written.
  virtual Status put_tree(std::uint64_t begin, std::span<const float> means) = 0;
  /// Puts values, or means of the tree, that AprValuePieces has packed in another process.
  virtual Status put_piece(bool of_tree, const VectorPiece& piece) = 0;
};

using FillAprValues = std::function<Status(AprValueSink& sink, const JobContext& context)>;

struct AprRewriteOptions {
  /// The line that its history gains.
  std::string history;
  /// Whether to write the tree of the source (which must have one) with means of the new values.
  bool with_tree = false;
  /// See AprWriteOptions.
  std::optional<bool> for_looking = {};
};

/// Writes an .apr with the structure and the labels of `source` and, in place of its field, the f32
/// values that `fill` puts: the file that write_apr() writes (byte for byte, where this version of
/// the program wrote the source: chunks of the structure of an earlier one are kept as they are
/// packed), with a few chunks in memory; packed values wait in a nameless file in the same folder.
/// After an error `path` is as it was. Errors: those of `fill`, values that are
/// missing, the source changed meanwhile, the disk is full, cancelled.
Status rewrite_apr(const AprFileSlabs& source, const AprRewriteOptions& options,
                   const std::filesystem::path& path, const FillAprValues& fill,
                   const JobContext& context = {});

}  // namespace aprscope
