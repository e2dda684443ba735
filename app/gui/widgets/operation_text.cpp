#include "app/gui/widgets/operation_text.hpp"

#include <QObject>
#include <QStringList>

#include "core/operations/engine/registry.hpp"

namespace aprscope::gui {
namespace {

QString value_text(const ParameterValue& value) {
  if (const auto* v = std::get_if<std::array<double, 3>>(&value)) {
    if ((*v)[0] == (*v)[1] && (*v)[1] == (*v)[2]) return QString::number((*v)[0], 'g', 4);
    return QStringLiteral("%1, %2, %3")
        .arg((*v)[0], 0, 'g', 4)
        .arg((*v)[1], 0, 'g', 4)
        .arg((*v)[2], 0, 'g', 4);
  }
  if (const auto* stencil = std::get_if<Stencil>(&value)) {
    const Size3& n = stencil->size;
    return QStringLiteral("%1×%2×%3").arg(n.z).arg(n.x).arg(n.y);
  }
  return QString::fromStdString(to_text(value));
}

}  // namespace

QString short_text(const Operation& operation) {
  const OperationSchema* schema = find_schema(operation.id);
  if (schema == nullptr) return QString::fromStdString(operation.id);
  QStringList parts{QString::fromStdString(schema->label)};
  for (const ParameterSpec& spec : schema->parameters) {
    const auto found = operation.parameters.find(spec.id);
    // Leaves out parameters without effect, e.g. of other kinds of PSF.
    if (found == operation.parameters.end() || !counts(operation, spec.id)) continue;
    if (spec.unlisted || (!spec.main && found->second == spec.default_value)) continue;
    const QString label = QString::fromStdString(spec.label).toLower();
    if (const bool* on = std::get_if<bool>(&found->second)) {
      parts << (*on ? label : QObject::tr("not %1").arg(label));
      continue;
    }
    if (spec.type == ParameterType::stencil) {  // the operation's name suffices
      parts.back() += QLatin1Char(' ') + value_text(found->second);
      continue;
    }
    QString value = value_text(found->second);
    // Of a path, only the name of the file.
    if (spec.type == ParameterType::text) value = value.section(QLatin1Char('/'), -1);
    QString part = label + QLatin1Char(' ') + value;
    if (spec.unit == "px") part += QStringLiteral(" px");
    parts << part;
  }
  return parts.join(QStringLiteral(", "));
}

}  // namespace aprscope::gui
