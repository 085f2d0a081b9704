#include "runner/merge.hpp"

#include <algorithm>
#include <memory>

#include "artifact/error.hpp"
#include "client/client.hpp"
#include "history/journal.hpp"

namespace holdfast {
namespace {

// One client's journal with its next event. If the nemesis killed the client, its open operation is completed as
// `info`, with the statements it had executed: it may have taken effect.
class Lane {
 public:
  Lane(const std::string& path, std::int64_t killed_ns)
      : path_(path), reader_(InputFile::stored(path)), killed_ns_(killed_ns) {
    advance();
  }
  bool has() const { return has_; }
  const Event& front() const { return front_; }

  void advance() {
    if (has_) {
      open_ = front_.type == EventType::invoke;
      last_ = front_;
    }
    has_ = reader_.next(front_);
    if (!has_ && reader_.broken_at()) {
      throw HarnessError(path_ + " is broken at byte " + std::to_string(*reader_.broken_at()));
    }
    if (has_ || !open_ || killed_ns_ < 0) return;
    open_ = false;
    front_ = last_;
    front_.type = EventType::info;
    front_.reason = Reason::killed;
    front_.time_ns = std::max(killed_ns_, last_.time_ns);
    front_.statements = reader_.unfinished();
    has_ = true;
  }

 private:
  std::string path_;
  JournalReader reader_;
  std::int64_t killed_ns_;
  Event front_;
  Event last_;
  bool has_ = false;
  bool open_ = false;
};

int rank(const Event& event) {
  if (event.actor == Actor::nemesis) return 2;
  return event.type == EventType::invoke ? 0 : 1;
}

bool before(const Event& a, const Event& b) {
  return a.time_ns != b.time_ns ? a.time_ns < b.time_ns : rank(a) < rank(b);
}

// Process numbers of a client are its own number plus a multiple of a stride; the history has dense ids with names.
class Namer {
 public:
  explicit Namer(std::vector<std::string> keys) { names.keys = std::move(keys); }
  void name(Event& event) {
    if (event.actor != Actor::client) return;
    event.process = names.processes.id_of(event.process);
  }
  Names names;
};

std::int64_t killed_at(const std::vector<Event>& nemesis, std::uint32_t client) {
  for (const auto& event : nemesis) {
    const bool struck = std::find(event.clients.begin(), event.clients.end(), client) != event.clients.end();
    if (event.step == FaultStep::kill && struck) return event.time_ns;
  }
  return -1;
}

// Journals of all threads of a client, and of their watchdogs.
std::vector<std::string> journals_of(const std::string& folder, std::uint32_t client, std::int64_t threads) {
  std::vector<std::string> out;
  for (std::uint32_t thread = 0; thread < threads; ++thread) {
    out.push_back(journal_path(folder, client, thread, false));
    const std::string background = journal_path(folder, client, thread, true);
    if (InputFile::stored(background).is_there()) out.push_back(background);
  }
  for (const std::string& other : {observer_path(folder, client), assertions_path(folder, client)}) {
    if (InputFile::stored(other).is_there()) out.push_back(other);
  }
  return out;
}

}  // namespace

void merge_history(const MergeInput& input, const HistoryHeader& header, const std::string& path) {
  std::vector<Event> faults = input.nemesis;
  std::stable_sort(faults.begin(), faults.end(), before);
  std::vector<std::unique_ptr<Lane>> lanes;
  for (std::uint32_t c = 0; c < input.clients; ++c) {
    for (const auto& journal : journals_of(input.folder, c, input.threads)) {
      lanes.push_back(std::make_unique<Lane>(journal, killed_at(faults, c)));
    }
  }
  HistoryWriter out(path, header);
  Namer namer(input.keys);
  std::uint64_t index = 0;
  std::int64_t last_ns = 0;
  const auto put = [&](Event event) {
    event.index = index++;
    last_ns = event.time_ns = std::max(event.time_ns, last_ns);
    namer.name(event);
    out.write(event, namer.names);
  };
  for (std::size_t fault = 0;;) {
    Lane* next = nullptr;
    for (const auto& lane : lanes) {
      if (lane->has() && (next == nullptr || before(lane->front(), next->front()))) next = lane.get();
    }
    if (fault < faults.size() && (next == nullptr || before(faults[fault], next->front()))) {
      put(faults[fault++]);
    } else if (next != nullptr) {
      put(next->front());
      next->advance();
    } else {
      break;
    }
  }
  for (const auto& write : input.resource) put(write);
  out.finish();
}

}  // namespace holdfast
