#include "core/apr/convert/kept_slices.hpp"

#include <span>
#include <utility>

#include "core/base/system.hpp"

namespace aprscope {

KeptSlices::KeptSlices(SliceSource& source)
    : source_(source),
      slice_bytes_(static_cast<std::size_t>(source.size().x * source.size().y) *
                   sample_bytes(source.kind())) {
  if (!source.costly()) return;
  const std::uint64_t all = static_cast<std::uint64_t>(size().z) * slice_bytes_;
  const auto folder = folder_for_scratch();
  // Also the planes of the half grid wait on that disk.
  if (all > available_bytes() / 2 || !has_ample_room(folder, 2 * all)) return;
  auto file = NamelessFile::create(folder, "set TMPDIR to a folder on a disk with more room");
  if (file) file_ = std::move(*file);
}

Status KeptSlices::read(std::int64_t z, void* out, const JobContext& context) {
  const std::span bytes(static_cast<std::uint8_t*>(out), slice_bytes_);
  if (file_ && z < kept_) {
    if (context.stop_requested()) return cancelled_error();
    return file_->read(static_cast<std::uint64_t>(z) * slice_bytes_, bytes);
  }
  if (Status read = source_.read(z, out, context); !read) return read;
  if (file_ && z == kept_) {
    if (file_->append(bytes)) {
      ++kept_;
    } else {
      // The disk is full nevertheless, and others need it more.
      file_.reset();
    }
  }
  return {};
}

}  // namespace aprscope
