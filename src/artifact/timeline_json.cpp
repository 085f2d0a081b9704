#include <nlohmann/json.hpp>

#include "artifact/utf8.hpp"
#include "artifact/verdict_json.hpp"

namespace holdfast {
namespace {

using Json = nlohmann::json;

std::uint32_t read_client(Shape& in) {
  return static_cast<std::uint32_t>(in.integer("client", 0, UINT32_MAX));
}

Json to_json(const Span& s) {
  return {{"client", s.client},      {"key", valid_utf8(s.key)},       {"from_ns", s.from_ns},
          {"to_ns", s.to_ns},        {"lease_end_ns", s.lease_end_ns}, {"grant_index", s.grant_index},
          {"end_index", s.end_index}};
}

Span read_span(Shape& in) {
  Span s;
  s.client = read_client(in);
  s.key = in.text("key");
  s.from_ns = in.integer("from_ns", -kFarthestNs, kFarthestNs);
  s.to_ns = in.integer("to_ns", -kFarthestNs, kFarthestNs);
  s.lease_end_ns = in.integer("lease_end_ns", -kFarthestNs, kFarthestNs);
  s.grant_index = static_cast<std::uint64_t>(in.integer("grant_index"));
  s.end_index = static_cast<std::uint64_t>(in.integer("end_index"));
  return s;
}

Json to_json(const WriteMark& w) {
  return {{"client", w.client},
          {"key", valid_utf8(w.key)},
          {"time_ns", w.time_ns},
          {"result", valid_utf8(w.result)},
          {"index", w.index}};
}

WriteMark read_write(Shape& in) {
  WriteMark w;
  w.client = read_client(in);
  w.key = in.text("key");
  w.time_ns = in.integer("time_ns", -kFarthestNs, kFarthestNs);
  w.result = in.text("result");
  const bool known = w.result == "ok" || w.result == "fail" || w.result == "info";
  if (!known) in.refuse("result", "unknown word '" + w.result + "'");
  w.index = static_cast<std::uint64_t>(in.integer("index"));
  return w;
}

}  // namespace

Json to_json(const FaultSpan& f) {
  return {{"fault", valid_utf8(f.fault)},
          {"cause", valid_utf8(f.cause)},
          {"clients", f.clients},
          {"from_ns", f.from_ns},
          {"to_ns", f.to_ns},
          {"detail", valid_utf8(f.detail)}};
}

FaultSpan read_fault_span(Shape& in) {
  FaultSpan f;
  f.fault = in.text("fault");
  if (in.has("cause")) f.cause = in.text("cause");  // verdicts of before do not have it
  for (const auto client : in.numbers("clients", UINT32_MAX)) f.clients.push_back(static_cast<std::uint32_t>(client));
  f.from_ns = in.integer("from_ns", -kFarthestNs, kFarthestNs);
  f.to_ns = in.integer("to_ns", -kFarthestNs, kFarthestNs);
  f.detail = in.text("detail");
  return f;
}

Json timeline_json(const Timeline& timeline) {
  Json out = {{"end_ns", timeline.end_ns},
              {"cut", timeline.cut},
              {"spans", Json::array()},
              {"faults", Json::array()},
              {"writes", Json::array()}};
  for (const auto& span : timeline.spans) out["spans"].push_back(to_json(span));
  for (const auto& fault : timeline.faults) out["faults"].push_back(to_json(fault));
  for (const auto& write : timeline.writes) out["writes"].push_back(to_json(write));
  return out;
}

Timeline read_timeline(Shape in) {
  Timeline timeline;
  timeline.end_ns = in.integer("end_ns", -kFarthestNs, kFarthestNs);
  timeline.cut = in.boolean("cut");
  timeline.spans = in.list<Span>("spans", read_span);
  timeline.faults = in.list<FaultSpan>("faults", read_fault_span);
  timeline.writes = in.list<WriteMark>("writes", read_write);
  in.finish();
  return timeline;
}

}  // namespace holdfast
