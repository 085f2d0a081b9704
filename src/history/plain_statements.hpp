// Parses a line's list of statements if it is plain JSON.
//
//   PlainScan scan(R"([{"name":"take","call":5,"return":7,"rows":1}])");
//   if (!scan_plain_statements(scan, event.statements)) ...      // the general parser decides
#pragma once

#include <vector>

#include "history/event.hpp"
#include "history/plain_scan.hpp"

namespace holdfast {

bool scan_plain_statements(PlainScan& scan, std::vector<Statement>& out);

}  // namespace holdfast
