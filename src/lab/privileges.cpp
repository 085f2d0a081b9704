#include "lab/privileges.hpp"

#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace holdfast {
namespace {

// Root of a user namespace gets all capabilities at each execve, unless these bits are set. To set them takes a
// capability itself: who has none needs them not.
bool root_is_nobody() {
  for (unsigned long one = 0; ::prctl(PR_CAPBSET_READ, one, 0, 0, 0) >= 0; ++one) {
    if (::prctl(PR_CAPBSET_DROP, one, 0, 0, 0) != 0) return false;
  }
  const unsigned long bits = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                             SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED;
  return ::prctl(PR_SET_SECUREBITS, bits, 0, 0, 0) == 0;
}

}  // namespace

bool give_up_privileges() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capget, &header, sets) != 0) return false;
  const bool may = (sets[CAP_TO_INDEX(CAP_SETPCAP)].effective & CAP_TO_MASK(CAP_SETPCAP)) != 0;
  if (may && !root_is_nobody()) return false;
  for (auto& set : sets) set = {};
  if (::syscall(SYS_capset, &header, sets) != 0) return false;
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

}  // namespace holdfast
