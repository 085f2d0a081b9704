#include "suite/stored_result.hpp"

#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "artifact/error.hpp"
#include "artifact/facts.hpp"
#include "artifact/json_reader.hpp"
#include "artifact/plain_file.hpp"
#include "artifact/run_directory.hpp"
#include "artifact/run_verdict.hpp"
#include "artifact/visible.hpp"
#include "checker/check.hpp"
#include "suite/expectation.hpp"
#include "suite/trial_job.hpp"

namespace holdfast {
namespace {

// Replaces only a link; anything else with that name stays. Created under an unused temporary name (the run's folder is
// new), then renamed.
void point_link(const std::string& root, const std::string& folder) {
  const std::string latest = root + "/latest";
  struct stat found {};
  if (::lstat(latest.c_str(), &found) == 0 && !S_ISLNK(found.st_mode)) {
    std::fprintf(stderr, "holdfast: %s: not a link, so not replaced; this run: %s/%s\n", latest.c_str(), root.c_str(),
                 folder.c_str());
    return;
  }
  const std::string beside = root + "/.latest-" + folder;
  if (::symlink(folder.c_str(), beside.c_str()) != 0) return;
  if (::rename(beside.c_str(), latest.c_str()) != 0) ::unlink(beside.c_str());
}

// MariaDB stores paths in 512 bytes (FN_REFLEN), does not check all of them, and crashes on longer ones. Its own names
// in a trial's folder have up to 70 ("/lab/db/holdfast/TABLE.ibd").
constexpr std::size_t kLongestTrialFolder = 440;
constexpr std::size_t kOwnName = 24;  // "/20260131T120000Z-1a2b3c"
constexpr std::size_t kUsual = 60;    // "/cells/LOCK/SCENARIO/1"

std::size_t length_of(const std::string& path) {
  std::error_code error;
  const std::size_t real = std::filesystem::weakly_canonical(path, error).string().size();
  const std::size_t given = std::filesystem::absolute(path, error).string().size();
  return std::max(real, given);
}

// Fetched once, and never given back: OpenSSL prepares itself at its first use. Null: it could not.
const EVP_MD* sha256() {
  static const EVP_MD* const kAlgorithm = ::EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return kAlgorithm;
}

namespace fs = std::filesystem;

// A run's folder made by this process, with the changes around it.
struct MadeFolder {
  fs::path folder;
  std::vector<fs::path> above;  // folders made for it, the innermost first
  std::string latest;           // the link; empty: it was not changed
  std::string pointed_at;       // previous target; empty: none
};

std::vector<MadeFolder>& made_folders() {
  static std::vector<MadeFolder> made;
  return made;
}

std::vector<fs::path> missing_above(const std::string& root) {
  std::vector<fs::path> out;
  std::error_code none;
  for (fs::path at = fs::absolute(root); !at.empty() && !fs::exists(fs::symlink_status(at, none));) {
    out.push_back(at);
    if (at == at.parent_path()) break;
    at = at.parent_path();
  }
  return out;
}

constexpr std::string_view kResults[] = {"result.json",   "verdict.json", "explored.json", "compare.json",
                                         "envelope.json", "curve.json",   "soak.json"};

bool has_result(const fs::path& folder) {
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (std::find(std::begin(kResults), std::end(kResults), name) != std::end(kResults)) return true;
  }
  return static_cast<bool>(failed);  // if unreadable, nothing is removed
}

void turn_back(const MadeFolder& made) {
  if (made.latest.empty()) return;
  std::error_code none;
  if (fs::read_symlink(made.latest, none) != made.folder.filename()) return;  // changed by another run since
  const fs::path root = made.folder.parent_path();
  if (!made.pointed_at.empty()) return point_link(root.string(), made.pointed_at);
  fs::remove(made.latest, none);
}

constexpr std::uint64_t kMostOfHistory = std::uint64_t{16} << 30;  // bytes; a trial of a day needs fewer

constexpr std::array<const char*, 5> kFiles{"scenario.json", "plan.json", "history.jsonl", "facts.json",
                                            "verdict.json"};

std::string hexadecimal(const unsigned char* bytes, unsigned count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned i = 0; i < count; ++i) out += {kDigits[bytes[i] >> 4U], kDigits[bytes[i] & 15U]};
  return out;
}

// Syncs the files first. Throws HarnessError if that fails.
Sums keep_evidence(const RunDirectory& run, const std::string& trial) {
  Sums out;
  for (const std::string part : {"", "control/"}) {
    if (!part.empty() && !run.has_folder(trial + "/control")) continue;
    for (const char* file : kFiles) {
      const std::string name = trial + "/" + part + file;
      if (!run.has(name)) continue;  // only of a failed trial
      run.sync(name);
      out[part + file] = sum_of(run, name);
    }
    if (!part.empty()) run.sync(trial + "/control");
  }
  run.sync_way(trial);
  return out;
}

constexpr const char* kResultFile = "/result.json";

// From the trial's history, which its verdict.json must match.
TrialVerdict judged_again(const RunDirectory& run, const std::string& trial) {
  TrialVerdict verdict = check_history(run.file(trial + "/history.jsonl"));
  const std::string name = trial + "/verdict.json";
  if (run.read(name) != text_of_json(to_json(verdict), 1) + "\n") {
    throw BadInput(run.path_of(name) + ": differs from the verdict on the trial's history");
  }
  verdict.timeline = {};
  return verdict;
}

void check_faults_acted(const RunDirectory& run, const std::string& trial) {
  const std::string name = trial + "/facts.json";
  const auto errors = trial_facts_of(run.read(name), run.path_of(name)).errors;
  if (!errors.empty()) throw BadInput(run.path_of(name) + ": has a harness error: " + errors.front());
}

// Removes a result that may not be on the disk, so that a resumed run does not find it.
void forget(const std::string& run_folder, const std::string& trial) {
  try {
    RunDirectory(run_folder).remove(trial + kResultFile);
  } catch (const std::exception&) {  // the folder is gone
  }
}

}  // namespace

void expect_short_enough(const std::string& root, std::size_t inside) {
  const std::size_t length = length_of(root) + kOwnName + inside;
  if (length <= kLongestTrialFolder) return;
  constexpr std::size_t kShown = 60;
  throw BadInput(clipped(root, kShown) + ": a trial's folder in it would have a path of " + std::to_string(length) +
                 " bytes, and servers accept no more than " + std::to_string(kLongestTrialFolder) +
                 "; remedy: --out FOLDER, with a path shorter by " + std::to_string(length - kLongestTrialFolder));
}

// The last part names a control beside a trial.
std::size_t longest_trial_folder(const SuiteOptions& options) {
  constexpr std::size_t kControl = 11;
  std::size_t out = kUsual;
  for (const auto& scenario : options.scenarios) {
    for (const auto& lock : scenario.locks) {
      const auto last = static_cast<int>(options.repeat * std::max<std::size_t>(1, options.seeds.size()));
      out = std::max(out, 1 + trial_folder(lock, scenario.name, last).size() + kControl);
    }
  }
  return out;
}

void take_back_run_folders() {
  for (const auto& made : made_folders()) {
    std::error_code none;
    if (!fs::is_directory(made.folder, none) || has_result(made.folder)) continue;
    turn_back(made);
    fs::remove_all(made.folder, none);
    for (const auto& folder : made.above) {
      if (::rmdir(folder.c_str()) != 0) break;  // it contains files of another run
    }
  }
  made_folders().clear();
}

std::string new_run_folder(const std::string& root, bool latest) {
  expect_short_enough(root, kUsual);
  std::error_code error;
  MadeFolder made;
  made.above = missing_above(root);
  std::filesystem::create_directories(root, error);
  if (error) throw BadInput(root + ": cannot be created: " + error.message() + "; remedy: --out FOLDER");
  char stamp[32];
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", &utc);
  std::string path = std::filesystem::absolute(root).string() + "/" + stamp + "-XXXXXX";
  if (::mkdtemp(path.data()) == nullptr) {
    throw BadInput(root + ": cannot create a folder in it: " + std::strerror(errno) + "; remedy: --out FOLDER");
  }
  ::chmod(path.c_str(), 0755);
  made.folder = path;
  if (latest) {
    made.latest = (made.folder.parent_path() / "latest").string();
    made.pointed_at = fs::read_symlink(made.latest, error).string();
    point_link(root, made.folder.filename().string());
  }
  made_folders().push_back(std::move(made));
  return path;
}

void point_latest(const std::string& folder) {
  const std::filesystem::path path(folder);
  point_link(path.parent_path().string(), path.filename().string());
}

void prepare_sums() {
  if (sha256() == nullptr) throw std::bad_alloc();
}

std::string sum_of(const RunDirectory& run, const std::string& name) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> sum(::EVP_MD_CTX_new(), ::EVP_MD_CTX_free);
  if (!sum || ::EVP_DigestInit_ex(sum.get(), sha256(), nullptr) != 1) throw HarnessError("no SHA-256");
  if (run.size_of(name) > kMostOfHistory) throw BadInput(run.path_of(name) + ": " + larger_than(kMostOfHistory));
  const Descriptor file = run.open(name);
  std::array<char, 65536> piece;
  ssize_t n = 1;
  while (n != 0) {
    n = ::read(file.get(), piece.data(), piece.size());
    if (n < 0 && errno != EINTR) break;
    if (n > 0) ::EVP_DigestUpdate(sum.get(), piece.data(), static_cast<std::size_t>(n));
  }
  if (n < 0) throw BadInput(run.path_of(name) + ": cannot be read: " + system_text(errno));
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned size = 0;
  ::EVP_DigestFinal_ex(sum.get(), bytes.data(), &size);
  return hexadecimal(bytes.data(), size);
}

const JsonForm<StoredResult>& StoredResult::form() {
  static const JsonForm<StoredResult> kForm{
      "stored_result",
      "",
      {form_version<StoredResult>("holdfast_result", 2), field("server", &StoredResult::server),
       field("stalls", &StoredResult::stalls), field("alone", &StoredResult::alone), field("sums", &StoredResult::sums),
       field("result", &StoredResult::result)}};
  return kForm;
}

void check_evidence(const RunDirectory& run, const std::string& trial, const Sums& sums, MissingFiles missing) {
  for (const auto& [file, sum] : sums) {
    const std::string name = trial + "/" + file;
    if (!run.has(name)) {
      if (missing == MissingFiles::allowed) continue;
      throw BadInput(run.path_of(name) + ": is gone");
    }
    if (sum_of(run, name) != sum) {
      throw BadInput(run.path_of(name) + ": changed after the trial ended (its checksum differs from result.json)");
    }
  }
}

void store_result(const std::string& run_folder, const std::string& trial, StoredResult& ended) {
  try {
    const RunDirectory run(run_folder);
    ended.sums = keep_evidence(run, trial);
    const std::string text = text_of_json(to_json(ended), 1) + "\n";
    run.write(trial + kResultFile, text, Keep::surely);
  } catch (const std::exception& why) {
    forget(run_folder, trial);
    if (failed(ended.result)) return;
    ended.result.outcome = Outcome::harness_error;
    ended.result.error = "its result cannot be stored: " + text_of(why);
  }
}

std::optional<StoredResult> stored_result(const std::string& run_folder, const std::string& trial) {
  const RunDirectory run(run_folder);
  const std::string name = trial + kResultFile;
  if (!run.has(name)) return {};
  try {
    StoredResult out = read_json_text(run.read(name), run.path_of(name), from_json<StoredResult>);
    const auto& control = out.result.control;
    if (out.result.folder != trial || (control && control->folder != trial + "/control")) {
      throw BadInput(run.path_of(name) + ": belongs to another folder");
    }
    return out;
  } catch (const NotPlain&) {
    throw;
  } catch (const std::exception& broken) {
    throw BadInput(std::string(broken.what()) + "; remedy: remove the file, so that the trial is repeated");
  }
}

void check_plan(const RunDirectory& run, const std::string& trial, const Plan& wanted) {
  const std::string name = trial + "/plan.json";
  if (!run.has(name) || parse_json(run.read(name), run.path_of(name)) == to_json(wanted)) return;
  throw BadInput(run.path_of(name) + ": is not the plan that results from the scenario and the seed");
}

bool failed(const TrialResult& result) {
  return result.outcome == Outcome::harness_error || result.outcome == Outcome::unavailable;
}

void check_result(const std::string& run_folder, const std::map<std::string, std::string>& expected,
                  StoredResult& stored) {
  TrialResult& result = stored.result;
  if (failed(result)) return;
  const RunDirectory run(run_folder);
  const std::string folder = run.path_of(result.folder);
  const Outcome said = result.outcome;
  const std::string remedy = "; remedy: remove " + folder + ", so that the trial is repeated";
  try {
    check_evidence(run, result.folder, stored.sums, MissingFiles::refused);
    check_faults_acted(run, result.folder);
    result.verdict = judged_again(run, result.folder);
    compare_with_expected(expected, result);
    if (result.control) compare_control(expected, judged_again(run, result.control->folder), result);
  } catch (const NotPlain&) {
    throw;
  } catch (const std::exception& other) {
    throw BadInput(other.what() + remedy);
  }
  if (result.outcome == said) return;
  throw BadInput(folder + kResultFile + ": says " + to_text(said) +
                 ", but its history, compared with the scenario's expectation, " + "makes it " +
                 to_text(result.outcome) + remedy);
}

}  // namespace holdfast
