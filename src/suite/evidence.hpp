// The files that a trial's result stands on: what it was asked for, what happened, what the runner saw, the verdict.
// They are on the disk before the result is written, and the result has the sum of each, so that one that was cut off,
// emptied by a machine that lost its power, or changed since is noticed by whoever relies on the result.
//
//   ended.sums = keep_evidence(run, "cells/insert_lease/pause/1");      // HarnessError where the disk refuses
//   check_evidence(run, "cells/insert_lease/pause/1", stored.sums, Extant::whole);   // BadInput names the file
//
// The sums (SHA-256) are OpenSSL's, which a server's client library needs anyway. They are no signature: who changes
// the files on purpose can write new ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "artifact/beneath.hpp"

namespace holdfast {

// By the file's name in the trial's folder, as hexadecimal digits.
using Sums = std::map<std::string, std::string>;

Sums keep_evidence(const Beneath& run, const std::string& trial);

enum class Extant : std::uint8_t { whole, what_is_left };  // runs are tidied up: then a file may be gone

void check_evidence(const Beneath& run, const std::string& trial, const Sums& sums, Extant wanted);

}  // namespace holdfast
