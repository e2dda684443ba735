#include "app/gui/window/item_facts.hpp"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "app/gui/document/item.hpp"
#include "core/base/system.hpp"

namespace aprscope::gui {
namespace {

QString fact_word(const char* text) { return QCoreApplication::translate("facts", text); }

QString fact_number(double value) { return QString::number(value, 'g', 6); }

QString fact_count(std::uint64_t count) {
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(count));
}

QString fact_size(const Size3& size) {
  return QStringLiteral("%1 × %2 × %3").arg(size.z).arg(size.x).arg(size.y);
}

QString fact_voxel(const VoxelSize& voxel) {
  const QString sides = QStringLiteral("%1 × %2 × %3")
                            .arg(fact_number(voxel.z), fact_number(voxel.x), fact_number(voxel.y));
  return sides + QLatin1Char(' ') + QString::fromStdString(voxel.unit);
}

QString joined(const std::vector<std::string>& texts) {
  QStringList list;
  for (const std::string& text : texts) list << QString::fromStdString(text);
  return list.join(QStringLiteral(", "));
}

ItemFacts file_facts(const Item& item, const SourceInfo& file) {
  ItemFacts out{fact_word("File"), {}};
  const auto add = [&](const char* name, const QString& value) {
    out.facts.push_back({fact_word(name), value});
  };
  add("Path", QString::fromStdString(file.path.string()));
  add("Format", QString::fromStdString(file.format));
  if (!file.dataset.empty()) add("Image in the file", QString::fromStdString(file.dataset));
  add("Size of the file", QString::fromStdString(format_bytes(file.file_bytes)));
  add("Pixels (z × x × y)", fact_size(file.size));
  add("Type of the values", QString::fromStdString(file.dtype));
  add("Voxel size in the file",
      file.voxel.unit == "px" ? fact_word("not told") : fact_voxel(file.voxel));
  const QString of = fact_word("%1 of %2");
  if (file.channels.size() > 1) {
    add("Channel", of.arg(item.selection.channel + 1).arg(file.channels.size()));
    add("Channels", joined(file.channels));
  }
  if (file.times > 1) add("Time point", of.arg(item.selection.time + 1).arg(file.times));
  return out;
}

ItemFacts data_facts(const Item& item) {
  const Dataset& data = *item.dataset;
  ItemFacts out{item.is_apr() ? fact_word("Particles") : fact_word("Pixels"), {}};
  const auto add = [&](const char* name, const QString& value) {
    out.facts.push_back({fact_word(name), value});
  };
  add("Pixels (z × x × y)", fact_size(data.size()));
  add("Voxel size (z × x × y)", fact_voxel(data.voxel()));
  if (item.typed_voxel) out.facts.back().value += fact_word(", typed");
  if (!item.is_apr()) {
    add("Type of the values", QString::fromLatin1(data.volume().dtype()));
    add("Memory", QString::fromStdString(format_bytes(data.volume().bytes())));
    return out;
  }
  const Apr& apr = data.apr();
  const LinearAccess& particles = apr.access->particles();
  add("Particles", fact_count(particles.count()));
  const double pixels = static_cast<double>(data.size().count());
  add("Pixels a particle (CR)", fact_number(pixels / static_cast<double>(particles.count())));
  const int finest = apr.access->level_max();
  for (int level = particles.level_first(); level <= particles.level_last(); ++level) {
    const std::uint64_t count = particles.level(level).count();
    if (count == 0) continue;
    out.facts.push_back({fact_word("Level %1: cells of side %2")
                             .arg(level)
                             .arg(std::int64_t{1} << (finest - level)),
                         fact_count(count)});
  }
  std::vector<std::string> fields;
  for (const auto& field : apr.fields) fields.push_back(field->name + " (" + field->dtype() + ")");
  add("Fields", joined(fields));
  add("Memory", QString::fromStdString(format_bytes(apr.bytes())));
  add("Relative error (E)", fact_number(apr.parameters.rel_error));
  add("Smoothing (lambda)", fact_number(apr.parameters.lambda));
  add("Gradient threshold", fact_number(apr.parameters.grad_th));
  add("Local scale threshold", fact_number(apr.parameters.sigma_th));
  add("Intensity threshold", fact_number(apr.parameters.intensity_th));
  return out;
}

// Particles know all their steps, also those before they were written; a measurement of them is one
// more. Of pixels the recipe tells.
ItemFacts step_facts(const Item& item) {
  ItemFacts out{fact_word("Steps"), {}};
  const auto add = [&](const std::string& step) {
    const auto number = static_cast<int>(out.facts.size()) + 1;
    out.facts.push_back({QString::number(number), QString::fromStdString(step)});
  };
  if (item.is_apr()) {
    for (const std::string& step : item.dataset->apr().history) add(step);
    if (item.is_measurement() && !item.recipe.steps.empty())
      add(describe(item.recipe.steps.back()));
    return out;
  }
  for (const Operation& step : item.recipe.steps) add(describe(step));
  return out;
}

}  // namespace

std::vector<ItemFacts> facts_of(const Item& item) {
  std::vector<ItemFacts> out;
  if (item.source) out.push_back(file_facts(item, *item.source));
  out.push_back(data_facts(item));
  ItemFacts steps = step_facts(item);
  if (!steps.facts.empty()) out.push_back(std::move(steps));
  return out;
}

QString facts_text(const std::vector<ItemFacts>& groups) {
  QString out;
  for (const ItemFacts& group : groups) {
    out += group.title + QLatin1Char('\n');
    for (const ItemFact& fact : group.facts) {
      out += fact.name + QLatin1Char('\t') + fact.value + QLatin1Char('\n');
    }
  }
  return out;
}

}  // namespace aprscope::gui
