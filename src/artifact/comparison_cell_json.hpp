// The JSON of one cell of a comparison; comparison.hpp has that of the whole, which is what others want.
#pragma once

#include "artifact/comparison.hpp"
#include "artifact/shape.hpp"

namespace holdfast {

nlohmann::json compared_cell_json(const ComparedCell&);
ComparedCell read_compared_cell(Shape&);

}  // namespace holdfast
