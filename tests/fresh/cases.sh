# Sourced by empty_debian.sh. The tests on the empty system, one function a case.

# step NAME EXIT COMMAND...: runs it, compares its exit code, prints one line with the time; output in $logs.
step() {
  local name=$1 expected=$2 begin=$EPOCHREALTIME status
  shift 2
  step_log=$logs/${name// /_}
  "$@" >"$step_log.out" 2>"$step_log.err"
  status=$?
  local spent
  spent=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.1f", b - a}')
  if ((status == expected)); then
    echo "PASS  $name (${spent} s)"
  else
    fail "$name (${spent} s): exit $status, expected $expected"
    tail -n 8 "$step_log.out" "$step_log.err"
  fi
}

fail() {
  echo "FAIL  $*"
  failures=$((failures + 1))
}

# said TEXT...: each must be in what the last step said on standard error.
said() {
  local text
  for text; do
    grep -qF -- "$text" "$step_log.err" || fail "$(basename "$step_log"): did not say: $text"
  done
}

# listed TEXT...: each must be in what the last step said on standard output.
listed() {
  local text
  for text; do
    grep -qF -- "$text" "$step_log.out" || fail "$(basename "$step_log"): did not list: $text"
  done
}

# ended TEXT: how the last line of what the last step said on standard output begins; the line is shown.
ended() {
  local line
  line=$(tail -n 1 "$step_log.out")
  if [[ $line == "$1"* ]]; then echo "      $line"; else fail "$(basename "$step_log"): did not end with $1: $line"; fi
}

# Warnings are errors for root, not for the user below: a release's compiler has none; if it had, no user is kept out.
case_run() {
  put_source "/root/hold fast"
  step "root first run" 0 enter bash -c 'cd "/root/hold fast" && HOLDFAST_WERROR=ON ./run'
  listed "PASS  70 of 70 cells as expected"
  ended "PASS"
}

case_root() {
  case_run
  step "root second run" 0 enter bash -c 'cd /tmp && "/root/hold fast/run" list --json'
  only_json
  step "root test" 0 enter bash -c 'cd "/root/hold fast" && HOLDFAST_WERROR=ON ./test'
  ended "PASS"
  no_service
}

case_user() {
  step "user network" 0 enter bash -c 'apt-get -q update -o APT::Update::Error-Mode=any && ! getent hosts pypi.org'
  step "user install sudo" 0 enter apt-get -qy install --no-install-recommends sudo
  add_user 'NOPASSWD: ALL'
  put_source /home/tester/holdfast tester
  step "user first run" 0 as_user 'cd holdfast && ./run'
  ended "PASS"
  step "user second run" 0 as_user 'holdfast/run list --json'
  only_json
  step "user test" 0 as_user 'holdfast/test'
  ended "PASS"
  step "root in the user's tree" 0 enter /home/tester/holdfast/run list --json
  step "user after root" 0 as_user 'touch holdfast/CMakeLists.txt && holdfast/run list --json'
  put_source /opt/holdfast
  step "user in root's tree" 4 as_user '/opt/holdfast/run list --json'
  said "which is not yours" "chown -R tester"
  local built=build/release/holdfast
  step "root's build" 0 enter install -D "/home/tester/holdfast/$built" "/opt/holdfast/$built"
  step "user in root's built tree" 0 as_user '/opt/holdfast/run list --json'
}

case_refusals() {
  local named=(cmake ninja-build mariadb-server-core "apt-get update && apt-get install -y")
  add_user
  put_source /home/tester/holdfast
  step "refusal no sudo" 4 as_user 'holdfast/run list'
  said "${named[@]}" "sudo is not installed"
  network=none step "refusal no network" 4 enter /home/tester/holdfast/run list
  said "${named[@]}" "no network?"
  step "refusal prepare" 0 enter bash -c 'apt-get -q update && apt-get -qy install --no-install-recommends sudo'
  add_user 'ALL'
  step "refusal password" 4 as_user 'holdfast/run list'
  said "${named[@]}" "wants a password"
  rm "$copy/usr/bin/apt-get"
  step "refusal no apt-get" 4 enter /home/tester/holdfast/run list
  said "${named[@]}" "has no apt-get"
}

# The release's other compilers build everything without a warning; its GCC does in the case of root. One that cannot
# link with the release's libraries, which need a newer GCC's, must compile everything.
case_compilers() {
  local compiler packages
  put_source /root/holdfast
  packages=$(cat "$source_dir"/setup/{build,test}_packages.txt |
    sed -e 's/#.*//' -e '/^ *$/d' -e 's/ .*//' | paste -sd ' ')
  step "compilers packages" 0 enter bash -c "apt-get -q update &&
    apt-get -qy install --no-install-recommends $packages ${compilers[$release]}"
  for compiler in ${compilers[$release]}; do
    local may_fail=false
    [[ $compiler == "${no_linker[$release]:-}" ]] &&
      may_fail="grep -q 'undefined reference' build/log && ! grep '^FAILED: .*[.]o '"
    step "compilers $compiler" 0 enter bash -c "cd /root/holdfast && cmake -S . -B build/$compiler -G Ninja \
      -DCMAKE_BUILD_TYPE=Release -DHOLDFAST_UNITY=ON -DHOLDFAST_TESTS=ON -DHOLDFAST_WERROR=ON \
      -DCMAKE_CXX_COMPILER=${compiler/#clang/clang++} &&
      { cmake --build build/$compiler -- -k 0 >build/log ||
        { grep -A 8 -e ' error: ' -e ' warning: ' -e '^FAILED' build/log | head -n 60; $may_fail build/log; }; }"
  done
}

# The package is built on one empty system and installed on another, where apt knows nothing of holdfast's source.
case_package() {
  local made=$cache/package-$release
  put_source /root/holdfast
  step "package build" 0 enter bash -c 'cd /root && holdfast/setup/package.sh'
  rm -rf -- "$made" && mkdir -p "$made" && mv "$copy"/root/holdfast_*.deb "$made" || fail "no package was made"
  echo "      $(cd "$made" && echo *.deb)"
  remove_copy
  copy_base package
  cp "$made"/*.deb "$copy/root"
  step "package install" 0 enter bash -c 'apt-get -q update && apt-get -qy install /root/holdfast_*.deb'
  add_user
  step "package doctor" 0 as_user 'holdfast doctor'
  step "package try" 0 as_user 'holdfast try fenced_lease --for 60'
  listed "fenced_lease: safe"
}

# has_wheel: sets $wheel to the newest that setup/wheel.sh made.
has_wheel() {
  wheel=$(ls -t -- "$source_dir"/build/wheel/holdfast-*_"$(uname -m)".whl 2>/dev/null | head -n 1)
  [[ $wheel ]] || { fail "there is no wheel; remedy: setup/wheel.sh" && return 1; }
}

# The wheel that setup/wheel.sh made on this or an older release, with Debian's Python, pytest and redis-py.
case_wheel() {
  has_wheel || return
  add_user
  step "wheel packages" 0 enter bash -c 'apt-get -q update && apt-get -qy install --no-install-recommends \
    python3-venv python3-pytest python3-redis mariadb-server-core redis-server iproute2 nftables'
  mkdir -p "$copy/home/tester/locks" && cp "$wheel" "$source_dir"/samples/pytest/*.py "$copy/home/tester/locks"
  enter chown -R tester: /home/tester/locks
  step "wheel install" 0 as_user 'cd locks && python3 -m venv --system-site-packages env &&
    env/bin/pip install --no-index holdfast-*.whl'
  step "wheel doctor" 0 as_user 'locks/env/bin/holdfast doctor'
  step "wheel pytest" 1 as_user 'cd locks && env/bin/python -m pytest --holdfast-for 120'
  listed "1 failed, 1 passed" "get_then_del_lock: expected as_safe_as_a_lease, is broken"
}

# Built for arm64 with Debian's cross compiler; the unit tests run emulated, which no lab can: only such a machine can
# show what a lab does there. Emulation is ten times as slow: a property is tried with a tenth of its examples.
case_arm64() {
  local packages
  packages=$(sed -e 's/#.*//' -e '/^ *$/d' "$here/arm64_packages.txt" | paste -sd ' ')
  put_source /root/holdfast
  step "arm64 packages" 0 enter bash -c "dpkg --add-architecture arm64 && apt-get -q update &&
    apt-get -qy install --no-install-recommends $packages"
  step "arm64 build" 0 enter bash -c 'cd /root/holdfast && cmake -S . -B build/arm64 -G Ninja -DHOLDFAST_UNITY=ON \
    -DCMAKE_TOOLCHAIN_FILE=cmake/arm64.cmake && cmake --build build/arm64 --target unit_test'
  step "arm64 unit tests" 0 enter bash -c \
    'cd /root/holdfast && RC_PARAMS=max_success=10 tests/fresh/each_suite.sh qemu-aarch64 build/arm64/tests/unit_test'
  ended "PASS"
}

# The wheel for arm64, which pip of such a machine would take, made here; its program is emulated. It reaches PyPI for
# the tools that make wheels.
case_arm64_wheel() {
  lend_names
  put_source /root/holdfast
  step "arm64_wheel made" 0 enter bash -c 'apt-get -q update && apt-get -qy install --no-install-recommends \
    ca-certificates && update-ca-certificates && dpkg --add-architecture arm64 && apt-get -q update &&
    /root/holdfast/setup/wheel.sh --arm64 /opt/made'
  step "arm64_wheel installed" 0 enter bash -c '/root/holdfast/build/wheel_parts_arm64/tools/bin/pip install \
    --no-index --no-deps --only-binary=:all: --platform manylinux_2_36_aarch64 --target /opt/arm64 \
    /opt/made/holdfast-*_aarch64.whl'
  step "arm64_wheel program" 1 enter bash -c 'cd /root/holdfast && qemu-aarch64 -L /usr/aarch64-linux-gnu \
    /opt/arm64/holdfast/program/bin/holdfast check tests/histories/by_hand.lost_update.jsonl'
  listed "violated"
  mkdir -p "$source_dir/build/wheel" && cp -- "$copy"/opt/made/holdfast-*_aarch64.whl "$source_dir/build/wheel" ||
    fail "arm64_wheel: the wheel was not kept"
}

# add_user [RIGHTS]: a normal user, and what sudo lets it do.
add_user() {
  enter id tester >/dev/null 2>&1 || enter useradd --create-home --shell /bin/bash tester
  if [[ -n ${1:-} ]]; then echo "tester ALL=(ALL) $1" >"$copy/etc/sudoers.d/tester"; fi
}

# A login shell, whose PATH is what a person would have.
as_user() { enter runuser -l tester -c "$1"; }

only_json() {
  python3 -m json.tool "$step_log.out" /dev/null 2>/dev/null ||
    fail "$(basename "$step_log"): standard output is not JSON alone"
}

# Packages that start servers would meddle with the user's machine.
no_service() {
  if enter bash -c 'ls /etc/init.d /lib/systemd/system 2>/dev/null' | grep -qiE 'mariadb|mysql|redis'; then
    fail "a server was installed as a service"
  fi
}
