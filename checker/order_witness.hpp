// A piece of a history that no order of moments explains, made as small as possible, and put into words.
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

// The operations that make a piece impossible. They select the violated property (PropertyType::of_piece).
enum class PieceShows : std::uint8_t {
  refusal,          // a refusal
  loss,             // an answer of not_held to a holder
  second_grant,     // grants to one process
  nothing_to_give,  // a release or renewal by one process
  holders           // grants to several
};
PieceShows what_it_shows(const Searched& piece);

Witness order_witness(const Story& story, const std::string& key_name, std::uint32_t key, const Searched& piece);

}  // namespace holdfast
