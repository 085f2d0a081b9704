// An impossible answer of a plain mutex, in words, with the smallest set of operations that shows it.
#pragma once

#include "artifact/verdict.hpp"
#include "checker/plain_rule.hpp"
#include "checker/property.hpp"

namespace holdfast {

const char* plain_kind(PlainOperation::Kind kind);
Witness plain_witness(const PropertyContext& context, const PlainFault& fault);

}  // namespace holdfast
