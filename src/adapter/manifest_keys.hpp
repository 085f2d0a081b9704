// The keys of a manifest, each declared once: used for reading, writing and the schema.
#pragma once

#include <vector>

#include "adapter/manifest.hpp"

namespace holdfast {

const std::vector<JsonKey<Manifest>>& manifest_keys();

}  // namespace holdfast
