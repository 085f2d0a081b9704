# In the container of a stand-in for the usual MariaDB image: makes the database and root's password as it does, from
# the same two variables, on whatever is mounted at /var/lib/mysql.
set -e
chown mysql: /var/lib/mysql
install -d -o mysql /run/mysqld
mariadb-install-db --user=mysql --skip-test-db >/dev/null
cat >/tmp/begin.sql <<SQL
CREATE DATABASE \`$MARIADB_DATABASE\`;
CREATE USER 'root'@'%' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
ALTER USER 'root'@'localhost' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
SQL
# As in the usual image no name is asked for: a container may have no way to a name server.
exec mariadbd --user=mysql --bind-address=0.0.0.0 --skip-name-resolve --host-cache-size=0 --init-file=/tmp/begin.sql
