// A piece of a history that no order of moments explains, made as small as can be, and told.
//
//   Searched few = smallest_piece(operations, rules);
//   what_it_shows(few)                            // PieceShows::refusal
//   Witness w = order_witness(story, "orders", key, few);
//
// What is left out are whole holds (a grant, and all that its process did until its next one) and refusals; what is
// left is impossible by itself, and possible without any one of them.
#pragma once

#include <string>

#include "artifact/verdict.hpp"
#include "checker/order_search.hpp"
#include "checker/story.hpp"

namespace holdfast {

Searched smallest_piece(Searched operations, const LockRules& rules);

// What it takes to make it impossible, which says what property it breaks (PropertyType::of_piece).
enum class PieceShows : std::uint8_t {
  refusal,          // that somebody was refused
  loss,             // that somebody was told that it does not hold
  second_grant,     // grants to one process
  nothing_to_give,  // what one process released or renewed
  holders           // grants to several
};
PieceShows what_it_shows(const Searched& piece);

Witness order_witness(const Story& story, const std::string& key_name, std::uint32_t key, const Searched& piece);

}  // namespace holdfast
