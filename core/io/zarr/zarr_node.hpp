#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "core/base/result.hpp"
#include "core/io/zarr/zarr_store.hpp"

// Private to core/io: which folders of a store are arrays or groups, and what describes them.

namespace aprscope {

enum class ZarrKind { zarr2, zarr3, n5 };

/// Metadata of folders, as they are: `.zarray` or `.zgroup` with `.zattrs`, `zarr.json`, or
/// `attributes.json`.
struct ZarrNode {
  ZarrKind kind = ZarrKind::zarr2;
  bool is_array = false;
  /// Metadata of an array; empty for groups of Zarr 2.
  nlohmann::ordered_json description;
  /// Attributes of users and conventions.
  nlohmann::ordered_json attributes;
  /// The file that describes it, as a key.
  std::string described_in;
};

/// The node in the folder `key` of the store; nothing where there is none. Errors: metadata that is
/// no JSON or too large.
Result<std::optional<ZarrNode>> zarr_node(const ZarrStore& store, const std::string& key);

}  // namespace aprscope
