set -u
options=("$@")
command -v psql >/dev/null || { echo "needs the client psql" >&2; exit 4; }
# Lines of the client that belong to no answer.
noise="end of step|^-+$|^ *.column. *$|^.1 row.$|^$"
connect() {
  exec psql "${options[@]}" --no-psqlrc
}
