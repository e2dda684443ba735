#include "app/gui/panels/direction_feed.hpp"

#include <utility>
#include <variant>

#include "app/gui/document/document.hpp"
#include "app/gui/panels/reconstruct_items.hpp"
#include "app/gui/widgets/direction_map.hpp"
#include "core/projections/directions.hpp"
#include "core/projections/left_out_rows.hpp"

namespace aprscope::gui {
namespace {

SymmetryGroup group_or_none(const std::string& name) {
  const auto found = symmetry_group(name);
  return found ? *found : SymmetryGroup{};
}

// The symmetry that a map was made with, from its recipe.
std::string symmetry_of(const Item& map) {
  const std::vector<Operation>& steps = map.recipe.steps;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto found = step->parameters.find("symmetry");
    if (found == step->parameters.end()) continue;
    if (const auto* name = std::get_if<std::string>(&found->second)) return *name;
  }
  return "C1";
}

}  // namespace

DirectionFeed::DirectionFeed(Document& document, DirectionMap& map, QObject* parent)
    : QObject(parent), document_(document), map_(map) {}

void DirectionFeed::renew(const std::string& symmetry) {
  const Item* item = document_.items().current();
  if (projection_table_of(item) == nullptr) {
    ++newest_count_;
    counted_.reset();
    if (const Reconstruction* made = reconstruction_of(item)) {
      map_.set_directions(made->directions, group_or_none(symmetry_of(*item)));
    } else if (item == nullptr || !item->growing) {
      map_.set_directions({});
    }
    return;
  }
  const auto counted = counted_.lock();
  if (counted == item->dataset && symmetry == counted_symmetry_ &&
      item->left_out == counted_left_out_) {
    return;
  }
  // Other images of the same set have the same directions, so the map is not cleared.
  if (counted_item_ != item->id) map_.set_directions({});
  counted_item_ = item->id;
  counted_ = item->dataset;
  counted_symmetry_ = symmetry;
  counted_left_out_ = item->left_out;
  document_.background().post(
      Lane::preview, tr("Counting views"), "directions", this,
      [dataset = item->dataset, symmetry,
       left_out = item->left_out](const JobContext&) -> Result<DirectionHistogram> {
        const SymmetryGroup group = group_or_none(symmetry);
        const ProjectionTable& all = dataset->volume().projections->table;
        if (left_out.empty()) return count_directions(all, group);
        ProjectionTable used = all;
        if (Status ok = leave_out_rows(used, left_out); !ok) return ok.error();
        return count_directions(used, group);
      },
      [this, symmetry, request = ++newest_count_](const Result<DirectionHistogram>& made) {
        if (request != newest_count_) return;
        if (made) {
          map_.set_directions(*made, group_or_none(symmetry));
        } else {
          counted_.reset();
        }
      });
}

}  // namespace aprscope::gui
