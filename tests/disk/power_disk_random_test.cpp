// A disk that loses power against a model that is too simple to be wrong: it copies all bytes and all names whenever
// something is synced, and looks at these copies after a loss.
#include <gtest/gtest.h>

#include <random>

#include "disk/power_disk.hpp"

namespace holdfast {
namespace {

using Node = PowerDisk::Node;
using Tree = std::map<std::string, std::string>;  // path -> bytes; of a folder "/"

struct Copied {
  bool folder = false;
  std::string bytes;
  std::map<std::string, Node> names;
};

// Nodes are numbered as the disk numbers them.
class CopyingDisk {
 public:
  CopyingDisk() { now_[PowerDisk::kRoot].folder = kept_[PowerDisk::kRoot].folder = true; }

  Copied& now(Node node) { return now_[node]; }

  void make(Node folder, const std::string& name, Node made, bool a_folder) {
    now_[made].folder = kept_[made].folder = a_folder;
    now_[folder].names[name] = made;
  }
  void rename(Node from, const std::string& name, Node to, const std::string& new_name) {
    const Node moved = now_[from].names.at(name);
    const auto there = now_[to].names.find(new_name);
    if (there != now_[to].names.end() && there->second == moved) return;
    now_[from].names.erase(name);
    now_[to].names[new_name] = moved;
    if (from != to) renames_.emplace_back(from, to);
  }
  void sync(Node node) {
    kept_[node].bytes = now_[node].bytes;
    std::set<Node> together{node};
    for (bool more = true; more;) {  // whatever renames tie to one another
      more = false;
      for (const auto& [from, to] : renames_) {
        if (together.count(from) + together.count(to) != 1) continue;
        together.insert({from, to});
        more = true;
      }
    }
    std::erase_if(renames_, [&](const auto& pair) { return together.count(pair.first) > 0; });
    for (const Node one : together) kept_[one].names = now_[one].names;
  }
  void lose() {
    now_ = kept_;
    renames_.clear();
  }
  Tree tree() const {
    Tree out;
    add(PowerDisk::kRoot, "", out);
    return out;
  }

 private:
  void add(Node node, const std::string& path, Tree& out) const {
    const Copied& one = now_.at(node);
    out[path] = one.folder ? "/" : one.bytes;
    for (const auto& [name, below] : one.names) add(below, path + "/" + name, out);
  }

  std::map<Node, Copied> now_;
  std::map<Node, Copied> kept_;
  std::vector<std::pair<Node, Node>> renames_;  // between folders, since these were synced
};

void add(const PowerDisk& disk, PowerDisk& attributes, Node node, const std::string& path, Tree& out) {
  const bool folder = S_ISDIR(attributes.attributes(node).mode);
  out[path] = folder ? "/" : disk.read(node, 0, disk.size(node));
  for (const auto& [name, below] : disk.list(node)) add(disk, attributes, below, path + "/" + name, out);
}

Tree tree_of(PowerDisk& disk) {
  Tree out;
  add(disk, disk, PowerDisk::kRoot, "", out);
  return out;
}

// Folders that can be reached, and files, as both have them.
class Walk {
 public:
  explicit Walk(unsigned seed) : random_(seed) {}

  void step() {
    switch (random_() % 10) {
      case 0:
      case 1:
        return make(random_() % 3 == 0);
      case 2:
        return remove();
      case 3:
      case 4:
        return rename();
      case 5:
        return link();
      case 6:
      case 7:
        return write();
      case 8:
        return sync();
      default:
        if (random_() % 8 == 0) lose();
    }
  }
  void lose() {
    disk.lose();
    copies.lose();
  }

  PowerDisk disk;
  CopyingDisk copies;

 private:
  std::string name() { return std::string(1, static_cast<char>('a' + random_() % 4)); }

  Node any(bool folder) {
    std::vector<Node> found;
    gather(PowerDisk::kRoot, folder, found);
    return found.empty() ? 0 : found[random_() % found.size()];
  }
  void gather(Node node, bool folders, std::vector<Node>& out) {
    if (S_ISDIR(disk.attributes(node).mode) == folders) out.push_back(node);
    for (const auto& [name, below] : disk.list(node)) gather(below, folders, out);
  }

  void make(bool a_folder) {
    const Node folder = any(true);
    const std::string named = name();
    const auto made = disk.make(folder, named, {static_cast<mode_t>(a_folder ? S_IFDIR | 0700 : S_IFREG | 0600)});
    if (made.error == 0) copies.make(folder, named, made.node, a_folder);
  }
  void remove() {
    const Node folder = any(true);
    const std::string named = name();
    if (disk.remove(folder, named, random_() % 2 == 0) == 0) copies.now(folder).names.erase(named);
  }
  void rename() {
    const Node from = any(true);
    const Node to = any(true);
    const std::string named = name();
    const std::string becomes = name();
    if (disk.rename(from, named, to, becomes) == 0) copies.rename(from, named, to, becomes);
  }
  void link() {
    const Node file = any(false);
    const Node folder = any(true);
    const std::string named = name();
    if (file != 0 && disk.link(file, folder, named) == 0) copies.now(folder).names[named] = file;
  }
  void write() {
    const Node file = any(false);
    if (file == 0) return;
    const std::string text(random_() % 6000, static_cast<char>('a' + random_() % 26));
    std::string& bytes = copies.now(file).bytes;
    if (random_() % 3 == 0) {
      disk.resize(file, text.size());
      bytes.resize(text.size());
    } else if (!text.empty()) {
      disk.write(file, 0, text);
      bytes.replace(0, std::min(bytes.size(), text.size()), text);
    }
  }
  void sync() {
    const Node node = any(random_() % 2 == 0);
    if (node == 0) return;
    disk.sync(node);
    copies.sync(node);
  }

  std::mt19937 random_;
};

TEST(PowerDiskRandom, MatchesAModelThatCopiesSyncedData) {
  std::size_t kept = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    Walk walk(seed);
    for (int step = 0; step < 80; ++step) {
      walk.step();
      ASSERT_EQ(tree_of(walk.disk), walk.copies.tree()) << "seed " << seed << ", step " << step;
    }
    walk.lose();
    ASSERT_EQ(tree_of(walk.disk), walk.copies.tree()) << "seed " << seed << ", lost in the end";
    kept += walk.copies.tree().size() - 1;
  }
  EXPECT_GT(kept, 1500U) << "hardly anything was ever kept, so that the test shows little";
}

TEST(PowerDiskRandom, NothingIsUnsyncedOnceAllIsSynced) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    Walk walk(seed);
    for (int step = 0; step < 60; ++step) walk.step();
    const Tree before = tree_of(walk.disk);
    walk.disk.sync_all();
    ASSERT_EQ(walk.disk.unsynced().bytes + walk.disk.unsynced().names, 0U) << "seed " << seed;
    walk.disk.lose();
    ASSERT_EQ(tree_of(walk.disk), before) << "seed " << seed;
  }
}

}  // namespace
}  // namespace holdfast
