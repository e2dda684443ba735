#include "core/io/apr/apr_value_pieces.hpp"

#include <algorithm>
#include <utility>

#include "core/io/apr/apr_group_write.hpp"

namespace aprscope {

AprValuePieces::AprValuePieces(const AprFileSlabs& source, const AprRewriteOptions& options,
                               Take take, const JobContext& context)
    : values_(kF32, source.count(),
              packing_of({.for_looking = options.for_looking}, source.size()).fields),
      tree_(kF32, std::max<std::uint64_t>(source.tree_count(), 1),
            packing_of({.for_looking = options.for_looking}, source.size()).fields),
      take_(std::move(take)),
      context_(context.stop_token()) {}

Status AprValuePieces::put(std::uint64_t begin, std::span<const float> values) {
  return cut_into_pieces(
      values_, begin, values.data(), values.size(),
      [&](const VectorPiece& piece) { return take_(false, piece); }, context_);
}

Status AprValuePieces::put_tree(std::uint64_t begin, std::span<const float> means) {
  return cut_into_pieces(
      tree_, begin, means.data(), means.size(),
      [&](const VectorPiece& piece) { return take_(true, piece); }, context_);
}

Status AprValuePieces::put_piece(bool of_tree, const VectorPiece& piece) {
  return take_(of_tree, piece);
}

}  // namespace aprscope
