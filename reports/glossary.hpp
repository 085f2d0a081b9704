// The words of a page, each explained behind it: properties, kinds of violations, and the few terms that all of them
// need. A word links to its line in the page's glossary, and a pointer that rests on it shows the same.
//
//   write_word("lease_exclusion", out);     <a class="term" href="#word/lease_exclusion" title="...">lease
//   exclusion</a> write_glossary(words_of_run(run), out); the section that the links lead to
//
// The words are those of property_words.hpp. An unknown word (of another version) is written unchanged.
#pragma once

#include <set>
#include <string>

#include "artifact/run_verdict.hpp"
#include "reports/html.hpp"

namespace holdfast {

// The description of a property or a kind of violation; empty: unknown.
std::string meaning_of_word(const std::string& word);

void write_word(const std::string& word, HtmlWriter& out);

// "violated:overrun", with the kind as a word.
void write_seen(const std::string& seen, HtmlWriter& out);

// The properties and kinds that a page of these verdicts names.
std::set<std::string> words_of_run(const RunVerdict&);

void write_glossary(const std::set<std::string>& words, HtmlWriter& out);

}  // namespace holdfast
