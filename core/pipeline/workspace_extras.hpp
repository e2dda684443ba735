#pragma once

#include <cstddef>

#include <nlohmann/json.hpp>

#include "core/operations/schema/json_reader.hpp"

namespace aprscope {

/// What the file of a workspace holds beside its data: how a program showed that. The program adds
/// it when the file is written, and takes it where it is read.
class WorkspaceExtras {
 public:
  virtual ~WorkspaceExtras() = default;
  WorkspaceExtras& operator=(const WorkspaceExtras&) = delete;

  /// Adds keys to the object of an item, by its place in the list.
  virtual void write_item(std::size_t item, nlohmann::ordered_json& to) const = 0;
  /// Adds keys to that of the workspace.
  virtual void write(nlohmann::ordered_json& to) const = 0;

  /// Takes what the object of the next item holds, whose place in the list this is. What is wrong
  /// fails the reader.
  virtual void read_item(std::size_t item, JsonReader& in) = 0;
  virtual void read(JsonReader& in) = 0;

 protected:
  WorkspaceExtras() = default;
  WorkspaceExtras(const WorkspaceExtras&) = default;
};

}  // namespace aprscope
