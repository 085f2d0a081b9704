#include "suite/evidence.hpp"

#include <openssl/evp.h>
#include <unistd.h>
#include <array>
#include <cerrno>
#include <memory>

#include "artifact/error.hpp"

namespace holdfast {
namespace {

constexpr std::array<const char*, 5> kFiles{"scenario.json", "plan.json", "history.jsonl", "facts.json",
                                            "verdict.json"};

std::string hexadecimal(const unsigned char* bytes, unsigned count) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (unsigned i = 0; i < count; ++i) out += {kDigits[bytes[i] >> 4U], kDigits[bytes[i] & 15U]};
  return out;
}

std::string sum_of(const Beneath& run, const std::string& name) {
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> sum(::EVP_MD_CTX_new(), ::EVP_MD_CTX_free);
  if (!sum || ::EVP_DigestInit_ex(sum.get(), ::EVP_sha256(), nullptr) != 1) throw HarnessError("no SHA-256");
  const int fd = run.open(name);
  std::array<char, 65536> piece;
  ssize_t n = 1;
  while (n != 0) {
    n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno != EINTR) break;
    if (n > 0) ::EVP_DigestUpdate(sum.get(), piece.data(), static_cast<std::size_t>(n));
  }
  const int why = errno;
  ::close(fd);
  if (n < 0) throw BadInput(run.path_of(name) + ": cannot be read: " + system_text(why));
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned size = 0;
  ::EVP_DigestFinal_ex(sum.get(), bytes.data(), &size);
  return hexadecimal(bytes.data(), size);
}

}  // namespace

Sums keep_evidence(const Beneath& run, const std::string& trial) {
  Sums out;
  for (const std::string part : {"", "control/"}) {
    if (!part.empty() && !run.has_folder(trial + "/control")) continue;
    for (const char* file : kFiles) {
      const std::string name = trial + "/" + part + file;
      if (!run.has(name)) continue;  // of a trial that failed
      run.sync(name);
      out[part + file] = sum_of(run, name);
    }
    if (!part.empty()) run.sync(trial + "/control");
  }
  run.sync_way(trial);
  return out;
}

void check_evidence(const Beneath& run, const std::string& trial, const Sums& sums, Extant wanted) {
  for (const auto& [file, sum] : sums) {
    const std::string name = trial + "/" + file;
    if (!run.has(name)) {
      if (wanted == Extant::what_is_left) continue;
      throw BadInput(run.path_of(name) + ": is gone");
    }
    if (sum_of(run, name) != sum) {
      throw BadInput(run.path_of(name) +
                     ": is not what it was when the trial ended (its sum in result.json is another)");
    }
  }
}

}  // namespace holdfast
