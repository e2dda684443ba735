#include "core/io/apr/apr_labels.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "core/image/labels.hpp"
#include "core/io/apr/apr_hdf5.hpp"

namespace aprscope {

Status put_labels_last(const Hdf5Object& group, std::vector<std::string>& fields) {
  const auto found = std::find(fields.begin(), fields.end(), kLabelsField);
  if (found == fields.end()) return {};
  const auto vector = Hdf5Vector::open(group, kLabelsField);
  if (!vector) return vector.error();
  if (vector->type() == kLabelsType) std::rotate(found, found + 1, fields.end());
  return {};
}

void take_labels(Apr& apr) {
  const auto found = std::find_if(apr.fields.begin(), apr.fields.end(), [](const auto& field) {
    return field->name == kLabelsField && field->values.index() == kLabelsType;
  });
  if (found == apr.fields.end()) return;
  const auto& values = std::get<std::vector<std::uint32_t>>((*found)->values);
  Labels labels;
  labels.largest = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  labels.values = values;
  apr.labels = std::make_shared<const Labels>(std::move(labels));
  apr.fields.erase(found);
}

std::vector<std::shared_ptr<const Field>> fields_with_labels(const Apr& apr) {
  auto fields = apr.fields;
  if (apr.labels) {
    fields.push_back(std::make_shared<const Field>(Field{kLabelsField, apr.labels->values}));
  }
  return fields;
}

}  // namespace aprscope
