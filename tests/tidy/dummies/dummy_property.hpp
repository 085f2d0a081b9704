// The words of a property of no use.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_dummy_property{
    .summary = "says nothing",
    .concerns = Concerns::data,
    .promised_by = PromisedBy::every_lock,
    .kinds = {{.name = "dummy_kind", .meaning = "never seen"}},
};

}  // namespace holdfast
