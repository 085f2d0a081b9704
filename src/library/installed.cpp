#include "library/installed.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "adapter/manifest.hpp"
#include "artifact/error.hpp"
#include "artifact/json_text.hpp"

namespace holdfast {
namespace {

namespace fs = std::filesystem;

constexpr const char* kComplete = "installed.json";
constexpr const char* kInstaller = "install.sh";
constexpr const char* kMadeOf = ".made_of";  // unmodified copy of the files it was installed from
constexpr int kToolMissing = 4;              // install.sh's exit code after it has named the missing tool

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Two concurrent installations into one folder would corrupt each other.
class FolderLock {
 public:
  explicit FolderLock(const std::string& root)
      : descriptor_(::open((root + "/.lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0) {
      throw HarnessError(root + ": cannot be locked: " + std::strerror(errno));
    }
  }
  ~FolderLock() { ::close(descriptor_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_;
};

void copy_files(const std::string& from, const std::string& to) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const fs::path target = fs::path(to) / entry.path().lexically_relative(from);
    if (entry.is_directory()) {
      fs::create_directories(target);
    } else if (entry.is_regular_file()) {
      fs::copy_file(entry.path(), target, fs::copy_options::overwrite_existing);
    }
  }
}

std::string language_of(const Library& library) {
  return fs::path(library.folder).parent_path() / "languages" / library.language;
}

std::set<std::string> files_in(const std::string& folder) {
  std::set<std::string> files;
  std::error_code none;
  for (fs::recursive_directory_iterator entry(folder, none), end; !none && entry != end; entry.increment(none)) {
    if (entry->is_regular_file()) files.insert(entry->path().lexically_relative(folder));
  }
  return files;
}

// Returns true if the library and its language were installed from exactly the present files.
bool is_made_of(const std::string& folder, const Library& library) {
  const std::string before = folder + "/" + kMadeOf;
  std::set<std::string> files;
  for (const std::string& now : {library.folder, language_of(library)}) {
    for (const std::string& file : files_in(now)) {
      if (!files.insert(file).second) continue;  // a library's own file takes precedence over its language's
      const fs::path there = fs::path(before) / file;
      if (!fs::is_regular_file(there) ||
          read_text_file(there.string()) != read_text_file((fs::path(now) / file).string()))
        return false;
    }
  }
  return files == files_in(before);
}

// Adapts names and titles in a lock's texts to the lock's name.
void rename_texts(const std::string& folder, const std::string& before, const std::string& now) {
  const std::string title = "# " + before + "\n";
  for (const std::string& name : {before + ".md", std::string("lock.md")}) {
    const fs::path file = fs::path(folder) / name;
    if (!fs::is_regular_file(file)) continue;
    const std::string text = read_text_file(file.string());
    if (!text.starts_with(title)) continue;
    write_text_file((fs::path(folder) / (now + ".md")).string(), "# " + now + "\n" + text.substr(title.size()));
    fs::remove(file);
    return;
  }
}

// Sets this version, and the names derived from it, in the manifests.
void rename_locks(const std::string& folder, const std::string& version) {
  std::string suffix = "_v" + version;
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char letter) {
    if (letter >= 'A' && letter <= 'Z') return static_cast<char>(letter - 'A' + 'a');
    return letter == '.' || letter == '-' || letter == '+' ? '_' : letter;
  });
  for (const auto& file : manifests_of(folder)) {
    Manifest manifest = load_manifest(file);
    rename_texts(folder, manifest.name, manifest.name + suffix);
    manifest.name += suffix;
    manifest.library.version = version;
    write_text_file(file, text_of_json(canonical_json(manifest), 2) + "\n");
  }
}

// Ends with this process, however that ends. Standard output goes to standard error. HOLDFAST is this program.
[[noreturn]] void become_installer(const std::string& folder, std::vector<char*>& argv, const std::string& program,
                                   pid_t parent) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  const bool ready = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent && nothing >= 0 &&
                     ::dup2(nothing, 0) == 0 && ::dup2(2, 1) == 1 && ::chdir(folder.c_str()) == 0 &&
                     ::setenv("HOLDFAST", program.c_str(), 1) == 0;
  if (ready) ::execv("/bin/sh", argv.data());
  ::_exit(127);
}

int run_installer(const std::string& folder, const std::vector<std::string>& words) {
  std::vector<std::string> all{"sh", std::string("./") + kInstaller};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  argv.reserve(all.size() + 1);
  for (auto& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  const std::string program = fs::read_symlink("/proc/self/exe");
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0) throw HarnessError(folder + "/" + kInstaller + ": cannot be started: " + std::strerror(errno));
  if (child == 0) become_installer(folder, argv, program, parent);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// Makes the files readable for a lab's user, which has no rights outside.
void open_to_all(const std::string& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    using fs::perms;
    const bool enters = entry.is_directory() || (entry.status().permissions() & perms::owner_exec) != perms::none;
    const perms more = perms::group_read | perms::others_read;
    fs::permissions(entry, enters ? more | perms::group_exec | perms::others_exec : more, fs::perm_options::add);
  }
}

}  // namespace

std::string libraries_folder() {
  if (const std::string own = variable("HOLDFAST_LIBRARIES"); !own.empty()) return fs::absolute(own);
  if (::geteuid() == 0) return "/var/lib/holdfast/libraries";
  if (const std::string data = variable("XDG_DATA_HOME"); !data.empty()) return data + "/holdfast/libraries";
  const std::string home = variable("HOME");
  if (home.empty()) throw BadInput("HOME is not set; remedy: set HOLDFAST_LIBRARIES to the folder for libraries");
  return home + "/.local/share/holdfast/libraries";
}

std::string installed_at(const std::string& root, const Library& library, const std::string& version) {
  return root + "/" + library.name + "@" + (version.empty() ? library.version : version);
}

bool is_installed(const std::string& root, const Library& library, const std::string& version) {
  std::error_code none;
  const std::string folder = installed_at(root, library, version);
  return fs::is_regular_file(folder + "/" + kComplete, none) && is_made_of(folder, library);
}

std::vector<std::string> installed_versions(const std::string& root, const Library& library) {
  std::vector<std::string> out;
  std::error_code none;
  const std::string begin = library.name + "@";
  for (fs::directory_iterator entry(root, none), end; !none && entry != end; entry.increment(none)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(begin)) continue;
    const std::string version = name.substr(begin.size());
    if (is_installed(root, library, version)) out.push_back(version);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string install_library(const Library& library, const std::string& version, const std::string& root) {
  std::string folder = installed_at(root, library, version);
  const std::string language = language_of(library);
  if (!fs::is_regular_file(language + "/" + kInstaller)) {
    throw HarnessError(language + ": has no " + kInstaller);
  }
  const bool pinned = version.empty() || version == library.version;
  try {
    fs::create_directories(root);
    const FolderLock alone(root);
    if (is_installed(root, library, version)) return folder;
    fs::remove_all(folder);
    for (const std::string& to : {folder, folder + "/" + kMadeOf}) {
      fs::create_directories(to);
      copy_files(language, to);
      copy_files(library.folder, to);
    }
    std::vector<std::string> words;
    if (!pinned) words = {library.package, version};
    const int code = run_installer(folder, words);
    if (code == kToolMissing) throw Unavailable(library.name + ": cannot be installed, for the reason above");
    if (code != 0)
      throw HarnessError(library.name + ": its installation failed, with exit code " + std::to_string(code));
    if (!pinned) rename_locks(folder, version);
    open_to_all(folder);
    const nlohmann::json done{{"library", library.name}, {"version", pinned ? library.version : version}};
    write_text_file(folder + "/" + kComplete, text_of_json(done, 1) + "\n");
  } catch (const fs::filesystem_error& error) {
    throw BadInput(std::string(error.what()) + "; remedy: set HOLDFAST_LIBRARIES to another folder");
  }
  return folder;
}

bool remove_library(const std::string& root, const Library& library, const std::string& version) {
  const std::string folder = installed_at(root, library, version);
  std::error_code none;
  if (!fs::is_directory(folder, none)) return false;
  const FolderLock alone(root);
  fs::remove(folder + "/" + kComplete);  // removed first: a partial installation is never taken for complete
  fs::remove_all(folder);
  return true;
}

}  // namespace holdfast
