#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/job_context.hpp"
#include "core/base/result.hpp"
#include "core/projections/projection_table.hpp"

namespace aprscope {

/// Images read from where they lie, some at a time. May be asked from several threads.
class ProjectionImages {
 public:
  virtual ~ProjectionImages() = default;
  /// The images of some rows of the table, one after the other, side × side values each, rows of x
  /// contiguous, as the file has them (neither moved nor mirrored). `out` has their length. Errors:
  /// a stack that is missing, shorter or of another size than the table says, or that changed since
  /// it was opened (naming file and row); cancelled.
  virtual Status read(std::span<const Projection> rows, std::span<float> out,
                      const JobContext& context) = 0;

 protected:
  ProjectionImages() = default;
  ProjectionImages(const ProjectionImages&) = default;
  ProjectionImages& operator=(const ProjectionImages&) = default;
};

/// A table of projections and its images.
struct Projections {
  ProjectionTable table;
  std::shared_ptr<ProjectionImages> images;
  /// The row that the first slice of the image shows that goes with them.
  std::int64_t first_shown = 0;
};

/// What happens to images with pixels that are not numbers: an error that names all of them, or
/// they are left out.
enum class Unsound { refused, left_out };

/// Is told which images are refused, in the thread of whoever is about to get the error: one a row
/// of the table, true where the image has pixels that are not numbers.
using UnsoundRows = std::function<void(const std::vector<bool>& rows)>;

}  // namespace aprscope
