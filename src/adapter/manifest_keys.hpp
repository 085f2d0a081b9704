// The keys of a manifest, each declared once: from this table it is read and written, and its schema is made.
#pragma once

#include <vector>

#include "adapter/manifest.hpp"

namespace holdfast {

const std::vector<JsonKey<Manifest>>& manifest_keys();

}  // namespace holdfast
