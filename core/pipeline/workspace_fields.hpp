#pragma once

#include <concepts>
#include <type_traits>

#include "core/pipeline/workspace.hpp"

// The keys of a workspace and what they stand for, once for writing and reading: field(key,
// member).

namespace aprscope {

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, Contrast> {
  field("low", value.low);
  field("high", value.high);
  field("gamma", value.gamma);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, DeviceMove> {
  field("asked", value.asked);
  field("device", value.device);
  field("name", value.name);
  field("reason", value.reason);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, VoxelSize> {
  field("z", value.z);
  field("x", value.x);
  field("y", value.y);
  field("unit", value.unit);
}

template <class Field, class Value>
void visit_fields(Field&& field, Value&& value) requires
    std::same_as<std::remove_cvref_t<Value>, WorkspaceCamera> {
  field("fitted", value.fitted);
  field("row", value.row);
  field("col", value.col);
  field("scale", value.scale);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, RayCamera> {
  field("eye", value.eye);
  field("forward", value.forward);
  field("up", value.up);
  field("perspective", value.perspective);
  field("height", value.height_world);
  field("view_angle", value.view_angle_degrees);
}

template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, PlaneLine> {
  field("from_row", value.from.row);
  field("from_col", value.from.col);
  field("to_row", value.to.row);
  field("to_col", value.to.col);
}

/// Of views and comparisons what is no part of its own.
template <class Field, class Value>
void visit_fields(Field&& field,
                  Value&& value) requires std::same_as<std::remove_cvref_t<Value>, WorkspaceViews> {
  field("shown", value.shown);
  field("captions", value.captions);
  field("heads_up", value.heads_up);
  field("box", value.box);
  field("planes", value.planes);
}

template <class Field, class Value>
void visit_fields(Field&& field, Value&& value) requires
    std::same_as<std::remove_cvref_t<Value>, WorkspaceComparison> {
  field("active", value.active);
  field("a", value.a);
  field("b", value.b);
  field("mode", value.mode);
  field("place", value.place);
  field("same_contrast", value.same_contrast);
  field("reveal", value.reveal);
  field("difference_range", value.difference_range);
  field("line_tool", value.line_tool);
  field("line_width", value.line_width);
}

}  // namespace aprscope
