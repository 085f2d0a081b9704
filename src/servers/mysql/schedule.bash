set -u
options=("$@")
program=$(command -v mysql || command -v mariadb) || { echo "needs the client mysql or mariadb" >&2; exit 4; }
# Lines of the client that belong to no answer.
noise="end of step|^-+$|^SELECT 'end|^$|^[0-9]+ rows? in set|^Bye"
connect() {
  exec "$program" "${options[@]}" --force --unbuffered -vv
}
