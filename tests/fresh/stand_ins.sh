# Sourced by commands_test.sh. Programs that stand in for real ones: each notes its call in $STAND_INS/calls, emptied
# by id, which ./run calls first, and does as the environment says.

# new_tree NAME: the scripts under test, in a folder of their own; `tree` is its path.
new_tree() {
  tree=$room/$1
  mkdir -p "$tree/scenarios/quick" "$room/elsewhere" "$room/bin"
  cp -a "$source_dir/run" "$source_dir/test" "$source_dir/setup" "$source_dir/.ci" "$tree"
  : >"$room/missing"
  make_stand_ins
}

stand_in() {
  {
    echo '#!/bin/bash'
    echo 'echo "${0##*/} $*" >>"$STAND_INS/calls"'
    cat
  } >"$room/bin/$1"
  chmod +x "$room/bin/$1"
}

make_stand_ins() {
  stand_in id <<<': >"$STAND_INS/calls"; [[ -n ${AS_USER:-} ]] && echo 1000 || echo 0'
  stand_in dpkg-query <<'PROGRAM'
status=0
for name in "${@:4}"; do
  if grep -qx -- "$name" "$STAND_INS/missing"; then status=1; else echo "$name installed"; fi
done
exit $status
PROGRAM
  stand_in apt-get <<'PROGRAM'
((${APT_EXIT:-0} == 0)) || { echo "E: no network" && exit "$APT_EXIT"; }
[[ $* != *" install "* ]] || : >"$STAND_INS/missing"
PROGRAM
  stand_in sudo <<'PROGRAM'
[[ $1 != -* ]] || exit "${SUDO_ASKS:-0}"
"$@"
PROGRAM
  stand_in ccache <<<''
  stand_in cpack <<<'echo "a package" >"$4/holdfast_1.deb"'
  stand_in dpkg-deb <<<'echo "Package: holdfast"'
  stand_in unshare <<<'exit "${UNSHARE_EXIT:-0}"'
  stand_in cmake <<'PROGRAM'
if [[ $1 == --build ]]; then
  ((${BUILD_EXIT:-0} == 0)) || { printf '[1/3] ok\nFAILED: x.o\nerror: no such thing\n' && exit 1; }
  printf '#!/bin/bash\n[[ -z ${SHOW_PATH:-} ]] || echo "$PATH"\nprintf "%%s\\n" "$@"\nexit "${PROGRAM_EXIT:-0}"\n' \
    >"$2/holdfast"
  chmod +x "$2/holdfast"
  echo "ninja: no work to do."
else
  ((${CONFIGURE_EXIT:-0} == 0)) || { echo "CMake Error: no compiler" && exit 1; }
  mkdir -p "$4" && : >"$4/build.ninja"
  printf 'CMAKE_HOME_DIRECTORY:INTERNAL=%s\n' "$2" >"$4/CMakeCache.txt"
  printf '%s\n' "$@" | sed -n 's/^-D\(HOLDFAST_[A-Z]*\)=/\1:BOOL=/p' >>"$4/CMakeCache.txt"
fi
PROGRAM
  stand_in ctest <<'PROGRAM'
echo '1/3 Test #1: checker.sweep ....'
mkdir -p "$2/Testing/Temporary"
cat >"$2/Testing/Temporary/LastTest.log" <<'SAID'
1/3 Testing: a.b
1/3 Test: a.b
test_that_runs (__main__.Some.test_that_runs) ... ok
test_one (__main__.Some.test_one)
Says what it is. ... skipped 'needs npm, which "is away"'
OK (skipped=1)
2/3 Testing: a.c
SKIP: needs npm, which "is away"
3/3 Testing: Some.Case
[ RUN      ] Some.Case
/a/file.cpp:7: Skipped
this kernel has no clock
[  SKIPPED ] Some.Case (0 ms)
4/4 Testing: checker.sweep
SKIP: a word of a test that passed
SAID
case ${CTEST:-passing} in
  none) echo 'No tests were found!!!' && exit 8 ;;
  failing) printf '%s\n' '67% tests passed, 1 tests failed out of 3' '' 'Total Test time (real) =  12.31 sec' '' \
    'The following tests FAILED:' $'\t  1 - checker.sweep (Failed)' 'Errors while running CTest' && exit 8 ;;
  *) printf '%s\n' '100% tests passed, 0 tests failed out of 3' '' 'Total Test time (real) =  12.31 sec' ;;
esac
skipped=
case ${CTEST:-} in
  skipped) skipped='a.b Some.Case silent.test' ;;
  some_skipped) skipped='a.b a.c' ;;
esac
if [[ -n $skipped ]]; then
  echo $'\nThe following tests did not run:'
  printf '\t  1 - %s (Skipped)\n' $skipped
  echo
fi
PROGRAM
}
