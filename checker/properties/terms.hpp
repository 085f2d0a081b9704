// The words of terms; its rule is in terms.cpp.
#pragma once

#include "artifact/property_words.hpp"

namespace holdfast {

inline const PropertyWords words_terms{
    .summary = "each term has at most one leader, and terms rise",
    .concerns = Concerns::tokens,
    .kinds = {{.name = "two_leaders"}, {.name = "term_fell"}},
};

}  // namespace holdfast
