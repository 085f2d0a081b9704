#include "history/otlp_spans.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <tuple>
#include <utility>

#include "artifact/error.hpp"
#include "artifact/json_reader.hpp"

namespace holdfast {
namespace {

constexpr std::size_t kFewNames = 5;
constexpr std::size_t kLongestName = 4096;
// Ranks among the events of one time: answers of spans that began earlier, spans without a length, other calls.
constexpr std::uint8_t kEnds = 0;
constexpr std::uint8_t kAtOnce = 1;
constexpr std::uint8_t kBegins = 2;

nlohmann::json parse_request(std::string_view line) {
  try {
    nlohmann::json request = parse_json(line);
    const bool known = request.is_object() && (request.contains("resourceSpans") || request.contains("resourceLogs") ||
                                               request.contains("resourceMetrics"));
    if (known) return request;
  } catch (const JsonRefusal& refused) {
    if (refused.column == 0) throw BadInput((refused.path.empty() ? "" : refused.path + ": ") + refused.why);
    throw BadInput("broken JSON at column " + std::to_string(refused.column) + "; OTLP/JSON has one request per line");
  }
  throw BadInput("has no resourceSpans, as the lines before; remedy: one form of log per file");
}

std::uint64_t number_of(const OtlpSpan& span, const std::string& name, const std::string& digits, std::uint64_t most) {
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  if (error == std::errc() && end == digits.data() + digits.size() && out <= most) return out;
  span.refuse(name + ": expected a number from 0 to " + std::to_string(most));
}

std::string joined(const std::vector<std::string>& names, const char* between) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : between) + name;
  return out;
}

}  // namespace

std::uint32_t OtlpSpans::Names::id_of(const std::string& name) {
  const auto [known, is_new] = ids_.emplace(name, static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(name);
  return known->second;
}

bool OtlpSpans::later(const SpanEvent& a, const SpanEvent& b) {
  return std::tie(a.time_ns, a.rank, a.sequence) > std::tie(b.time_ns, b.rank, b.sequence);
}

void OtlpSpans::read(std::string_view line, std::uint64_t position) {
  const nlohmann::json request = parse_request(line);
  for_spans(request, [&](const OtlpSpan& span) { take(span, position); });
  if (!has_front_) advance();
}

void OtlpSpans::note_other(const std::string& name) {
  ++others_;
  if (other_names_.size() < kFewNames) other_names_.insert(name.substr(0, 64));
}

void OtlpSpans::take(const OtlpSpan& span, std::uint64_t position) {
  SpanEvent event;
  if (span.matches(mapping_.acquire)) {
    event.op = Op::acquire;
  } else if (span.matches(mapping_.renew)) {
    event.op = Op::renew;
  } else if (span.matches(mapping_.release)) {
    event.op = Op::release;
  } else {
    return note_other(span.name());
  }
  if (was_read(span.identity())) return;
  const std::int64_t end_ns = span.time_ns("endTimeUnixNano");
  event.time_ns = span.time_ns("startTimeUnixNano");
  if (end_ns < event.time_ns) span.refuse("ends before it begins, as if the clock had been set");
  event.position = position;
  event.holder = holders_.id_of(holder_of(span));
  event.key = keys_.id_of(key_of(span));
  event.shared = event.op == Op::acquire && span.matches(mapping_.shared);
  event.background = event.op == Op::renew && span.matches(mapping_.background);
  event.rank = end_ns == event.time_ns ? kAtOnce : kBegins;
  SpanEvent answer = event;
  answer.time_ns = end_ns;
  answer.shared = false;
  answer.rank = end_ns == event.time_ns ? kAtOnce : kEnds;
  take_outcome(span, answer);
  ++taken_;
  push(event);
  push(answer);
}

void OtlpSpans::take_outcome(const OtlpSpan& span, SpanEvent& answer) {
  const auto is = [&](const SpanPatterns& patterns, EventType type, Reason reason) {
    if (!span.matches(patterns)) return false;
    answer.type = type;
    answer.reason = reason;
    return true;
  };
  const bool known = is(mapping_.busy, EventType::fail, Reason::busy) ||
                     is(mapping_.not_held, EventType::fail, Reason::not_held) ||
                     is(mapping_.fail, EventType::fail, Reason::other) ||
                     is(mapping_.info, EventType::info, Reason::none) || is(mapping_.ok, EventType::ok, Reason::none);
  if (!known) answer.type = span.failed() || !mapping_.ok.empty() ? EventType::info : EventType::ok;
  if (known || span.failed()) ++told_;
  if (answer.type != EventType::ok || answer.op == Op::release) return;
  if (const auto token = span.attribute(mapping_.token)) {
    answer.has_token = true;
    answer.token = number_of(span, mapping_.token, *token, std::numeric_limits<std::uint64_t>::max());
  }
  if (const auto lease = span.attribute(mapping_.lease_ms)) {
    answer.has_lease = true;
    answer.lease_ns =
        1'000'000 * static_cast<std::int64_t>(number_of(span, mapping_.lease_ms, *lease, std::uint64_t{kMaxLeaseMs}));
  }
}

std::string OtlpSpans::holder_of(const OtlpSpan& span) const {
  for (const auto& group : mapping_.holder) {
    std::vector<std::string> values;
    for (const auto& name : group) {
      if (auto value = span.attribute(name)) values.push_back(std::move(*value));
    }
    std::string out = joined(values, "/");
    if (values.size() == group.size() && !out.empty() && out.size() <= kLongestName) return out;
  }
  std::vector<std::string> groups;
  for (const auto& group : mapping_.holder) groups.push_back(joined(group, " and "));
  span.refuse("has no attribute that names its holder: " + joined(groups, ", or ") +
              "; remedy: add lock.holder, or give the attributes as \"holder\" in --otlp-mapping");
}

std::string OtlpSpans::key_of(const OtlpSpan& span) const {
  for (const auto& name : mapping_.key) {
    auto key = span.attribute(name);
    if (key && key->size() <= kLongestName) return *key;
  }
  span.refuse("has no attribute that names its lock: " + joined(mapping_.key, ", or ") +
              "; remedy: add lock.key, or give the attribute as \"key\" in --otlp-mapping");
}

// The front stays the earliest.
void OtlpSpans::push(const SpanEvent& event) {
  ahead_.push_back(event);
  ahead_.back().sequence = sequence_++;
  std::push_heap(ahead_.begin(), ahead_.end(), later);
  if (!has_front_ || !later(shown_, ahead_.front())) return;
  const SpanEvent earlier = ahead_.front();
  std::pop_heap(ahead_.begin(), ahead_.end(), later);
  ahead_.back() = shown_;
  std::push_heap(ahead_.begin(), ahead_.end(), later);
  show(earlier);
}

void OtlpSpans::advance() {
  has_front_ = !ahead_.empty();
  if (!has_front_) return;
  show(ahead_.front());
  std::pop_heap(ahead_.begin(), ahead_.end(), later);
  ahead_.pop_back();
}

// A request without an answer is sent again, so a span may come twice.
bool OtlpSpans::was_read(std::uint64_t span) {
  if (!read_.insert(span).second) return true;
  read_order_.push_back(span);
  if (read_order_.size() > kRemembered) {
    read_.erase(read_order_.front());
    read_order_.pop_front();
  }
  return false;
}

void OtlpSpans::show(const SpanEvent& from) {
  shown_ = from;
  front_.position = from.position;
  Event& event = front_.event;
  clear(event);
  event.time_ns = from.time_ns;
  event.type = from.type;
  event.op = from.op;
  event.reason = from.reason;
  event.shared = from.shared;
  event.background = from.background;
  if (from.has_token) event.token = from.token;
  if (from.has_lease) event.lease_ns = from.lease_ns;
  front_.line.has_time = front_.line.has_key = true;
  front_.line.process.refer(holders_.at(from.holder));
  front_.line.key.refer(keys_.at(from.key));
}

std::string OtlpSpans::why_none() const {
  if (taken_ > 0) return "";
  std::string names;
  for (const auto& name : other_names_) names += (names.empty() ? "" : ", ") + name;
  if (others_ == 0) return "has no spans";
  return "has no span of a lock among " + std::to_string(others_) + " spans, named " + names +
         (other_names_.size() == kFewNames ? ", ..." : "") +
         "; remedy: give the names of acquire, renew and release with --otlp-mapping";
}

std::string OtlpSpans::warning() const {
  if (taken_ == 0 || told_ > 0 || !mapping_.ok.empty()) return "";
  return "no span of a lock has an outcome or the status ERROR, so all " + std::to_string(taken_) +
         " count as ok; if a call was refused, record it: lock.outcome = \"busy\"";
}

}  // namespace holdfast
