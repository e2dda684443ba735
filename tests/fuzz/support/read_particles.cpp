#include "tests/fuzz/support/read_particles.hpp"

#include <cstring>

#include "core/apr/sample/slice.hpp"
#include "core/apr/structure/tree.hpp"
#include "core/io/apr/apr_file_part.hpp"
#include "core/io/apr/apr_summary.hpp"
#include "tests/fuzz/support/expect.hpp"
#include "tests/fuzz/support/read_pixels.hpp"

namespace aprscope::fuzz {
namespace {

constexpr std::uint64_t kMostParticles = 1 << 16;

void read_part(const SourceInfo& info, const SourceSelection& selection,
               const AprFilePartRequest& request) {
  const auto part = load_apr_file_part(info, selection, request);
  if (!part) expect_sentence(part.error());
}

// Every kind of slice through the middle: they walk all lists of the structure.
void draw(const Apr& apr) {
  const Size3 size = apr.access->size();
  const auto field = apr.main_field();
  const std::vector<float> values = field ? field->to_float() : std::vector<float>();
  for (const auto mode :
       {ReconstructionMode::constant, ReconstructionMode::smooth, ReconstructionMode::level}) {
    const Plane plane = slice_particles(*apr.access, values, mode, Axis::x, size.x / 2);
    expect(!field || plane.rows == size.z, "a slice has the size of the image");
  }
}

void read_whole(const SourceInfo& info, const SourceSelection& selection) {
  const auto data = load(info, selection);
  if (!data) return expect_sentence(data.error());
  const auto* const apr = std::get_if<Apr>(&*data);
  expect(apr != nullptr && apr->access != nullptr, "an APR is read as one");
  expect(apr->access->size() == info.size, "an APR has the size that its headers say");
  for (const auto& field : apr->fields) {
    expect(field->count() == apr->access->particles().count(), "a field has one value a particle");
  }
  draw(*apr);
}

}  // namespace

void read_particles(const SourceInfo& info, const SourceSelection& selection, std::uint64_t way) {
  const Region corner{{0, 0, 0},
                      {(info.size.z + 1) / 2, (info.size.x + 1) / 2, (info.size.y + 1) / 2}};
  const bool small = worth_reading(info.size) && info.particles <= kMostParticles;
  switch (small ? way % 6 : 0) {
    case 0: {
      const auto summary = summarize_apr(info, selection);
      if (!summary) expect_sentence(summary.error());
      return;
    }
    case 1:
      return read_part(info, selection, {});
    case 2:
      return read_part(info, selection, {1, {}, false});
    case 3:
      return read_part(info, selection, {2, corner, false});
    case 4:
      return read_part(info, selection, {0, corner, true});
    default:
      return read_whole(info, selection);
  }
}

}  // namespace aprscope::fuzz
