#include "app/gui/compare/compare_export.hpp"

#include <utility>

#include "app/gui/document/turn_export.hpp"
#include "app/gui/widgets/profile_plot.hpp"
#include "core/base/atomic_file.hpp"
#include "core/image/figure.hpp"
#include "core/io/write.hpp"
#include "core/pipeline/comparison_report.hpp"

namespace aprscope::gui {
namespace {

using Work = WritingWork;

ComparisonReport report_of(const Document& document, const Comparison& comparison,
                           CompareArea& area) {
  ComparisonReport report;
  const auto side = [&](const Item& item) {
    return compared_side(document.items().full_name(item.id).toStdString(), *item.dataset,
                         comparison.mode_of(item), item.costs);
  };
  report.a = side(*comparison.a());
  report.b = side(*comparison.b());
  if (const ComparePicture* picture = area.feed().picture()) {
    report.axis = picture->axis;
    report.index = picture->index_a;
  }
  report.slice = area.feed().slice_metrics().metrics;
  report.volume = area.feed().volume_metrics().metrics;
  return report;
}

Work figure_work(const Document& document, const Comparison& comparison, CompareArea& area,
                 const CompareExport& what) {
  const ComparePicture& picture = *area.feed().picture();
  const ComparisonReport report = report_of(document, comparison, area);
  std::vector<FigurePanel> panels(2);
  const auto fill = [&](FigurePanel& panel, const Plane& plane, const Item& item,
                        const ComparedSide& side, const char* letter) {
    panel.plane = plane;
    panel.contrast = comparison.display_of(item).contrast;
    panel.colormap = comparison.display_of(item).colormap;
    panel.title = std::string(letter) + "  " + side.name;
    panel.notes = {side.shown_as, cost_line(side)};
  };
  fill(panels[0], picture.a, *comparison.a(), report.a, "A");
  fill(panels[1], picture.b, *comparison.b(), report.b, "B");
  if (what.with_difference && !picture.difference.values.empty()) {
    FigurePanel third;
    third.plane = picture.difference;
    third.contrast = {-area.difference_range(), area.difference_range(), 1.0};
    third.colormap = "diverging";
    third.title = "B − A";
    panels.push_back(std::move(third));
  }
  FigureOptions options;
  const VoxelSize& voxel = comparison.a()->dataset->voxel();
  options.row_step = picture.axis == Axis::z ? voxel.x : voxel.z;
  options.col_step = picture.axis == Axis::y ? voxel.x : voxel.y;
  options.unit = voxel.unit;
  options.scale_bar = comparison.a()->display.scale_bar;
  const char* axis = picture.axis == Axis::z ? "z" : picture.axis == Axis::x ? "x" : "y";
  options.caption = "Slice " + std::string(axis) + " " + std::to_string(picture.index_a);
  if (report.slice) options.caption += ": " + metrics_line(*report.slice);
  if (const std::string took = cost_summary(report.a, report.b); !took.empty()) {
    options.caption += " · " + took;
  }
  return [panels = std::move(panels), options,
          path = what.path.toStdString()](const JobContext&) -> Status {
    const auto made = make_figure(panels, options);
    if (!made) return made.error();
    return write_png(made->rgba, made->width, made->height, path);
  };
}

Work movie_work(Document& document, const Comparison& comparison, const CompareExport& what) {
  std::vector<TurningData> sides;
  for (const Item* item : {comparison.a(), comparison.b()}) {
    const QString letter = sides.empty() ? QStringLiteral("A  ") : QStringLiteral("B  ");
    sides.push_back(turning(*item, comparison.display_of(*item), document.view().options(),
                            letter + document.items().full_name(item->id)));
    const Item* now = document.items().current();
    if (now == nullptr || !document.view().clip()) continue;
    sides.back().side.only =
        Comparison::mapped(*document.view().clip(), *now->dataset, *item->dataset);
  }
  return turn_work(std::move(sides), what.frames, what.path);
}

Work text_work(std::string text, const QString& path) {
  return [text = std::move(text), path = path.toStdString()](const JobContext&) {
    return write_text_atomically(path, text);
  };
}

}  // namespace

std::uint64_t export_comparison(Document& document, const Comparison& comparison, CompareArea& area,
                                const CompareExport& what) {
  const auto refused = [&](const QString& why) {
    document.messages().say(MessageKind::warning, why);
    return std::uint64_t{0};
  };
  if (!comparison.active() || comparison.a() == nullptr || comparison.b() == nullptr) {
    return refused(QObject::tr("Nothing is compared; choose A and B first."));
  }
  Work work;
  switch (what.kind) {
    case CompareExport::Kind::figure:
      if (area.feed().picture() == nullptr)
        return refused(QObject::tr("The slices are not there yet."));
      work = figure_work(document, comparison, area, what);
      break;
    case CompareExport::Kind::metrics:
      work = text_work(report_csv(report_of(document, comparison, area)), what.path);
      break;
    case CompareExport::Kind::profile: {
      const ProfilePlot& plot = area.profile();
      if (plot.a().values.empty()) {
        return refused(QObject::tr("There is no line; draw one in a slice first."));
      }
      work = text_work(profile_csv(plot.a(), plot.b(), plot.unit().toStdString()), what.path);
      break;
    }
    case CompareExport::Kind::movie:
      if (const Status ok = check_movie(what.path.toStdString()); !ok) {
        document.messages().say(ok.error());
        return 0;
      }
      work = movie_work(document, comparison, what);
      break;
  }
  return write_in_background(document, what.path, std::move(work));
}

}  // namespace aprscope::gui
