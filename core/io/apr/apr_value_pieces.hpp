#pragma once

#include <functional>
#include <span>

#include "core/base/job_context.hpp"
#include "core/io/apr/apr_rewrite.hpp"

namespace aprscope {

/// Packs what is put as rewrite_apr() stores it, for the sink of another process, which then has
/// next to nothing left to do.
class AprValuePieces : public AprValueSink {
 public:
  using Take = std::function<Status(bool of_tree, const VectorPiece& piece)>;

  /// For the sink of an .apr with the structure of `source`, written with the same options. Errors
  /// of all calls: those of `take`, cancelled. Calls throw std::bad_alloc.
  AprValuePieces(const AprFileSlabs& source, const AprRewriteOptions& options, Take take,
                 const JobContext& context);

  Status put(std::uint64_t begin, std::span<const float> values) override;
  Status put_tree(std::uint64_t begin, std::span<const float> means) override;
  Status put_piece(bool of_tree, const VectorPiece& piece) override;

 private:
  VectorChunks values_;
  VectorChunks tree_;
  Take take_;
  JobContext context_;
};

}  // namespace aprscope
