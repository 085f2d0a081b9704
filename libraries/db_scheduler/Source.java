import com.google.gson.JsonObject;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;

/** The database, with the library's table in it, as its scripts for MariaDB and PostgreSQL have it. */
class Source {
  private static final String COLUMNS = "(task_name %1$s NOT NULL, task_instance %1$s NOT NULL, task_data %2$s,"
      + " execution_time %3$s NOT NULL, picked BOOLEAN NOT NULL, picked_by VARCHAR(50), last_success %3$s,"
      + " last_failure %3$s, consecutive_failures INT, last_heartbeat %3$s, version BIGINT NOT NULL, priority SMALLINT,"
      + " PRIMARY KEY (task_name, task_instance))";

  static HikariDataSource of(JsonObject server) {
    boolean postgres = HoldfastAdapter.text(server, "kind").equals("postgres");
    String at = HoldfastAdapter.text(server, "host") + ":" + HoldfastAdapter.text(server, "port") + "/";
    String database = HoldfastAdapter.text(server, "database");
    String user = HoldfastAdapter.text(server, "user");
    HikariDataSource source = new HikariDataSource();
    source.setJdbcUrl(postgres
        ? "jdbc:postgresql://" + at + (database.isEmpty() ? "postgres" : database) + "?connectTimeout=2&socketTimeout=2"
        : "jdbc:mariadb://" + at + database + "?connectTimeout=2000&socketTimeout=2000"); // else TCP says when
    source.setUsername(postgres && user.isEmpty() ? "postgres" : user);
    source.setConnectionTimeout(2000);
    source.setMaximumPoolSize(4); // as it comes, 10: too many for the server, with all clients
    source.setInitializationFailTimeout(0); // the first one however long it takes, unless the server is away
    String table = postgres
        ? String.format(COLUMNS, "TEXT", "BYTEA", "TIMESTAMP WITH TIME ZONE")
        : String.format(COLUMNS, "VARCHAR(100)", "BLOB", "DATETIME(6) NULL").replace("NULL NOT NULL", "NOT NULL");
    run(source, "CREATE TABLE IF NOT EXISTS scheduled_tasks " + table);
    run(source, "CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time)");
    run(source, "CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    return source;
  }

  private static void run(HikariDataSource source, String sql) {
    try (var connection = source.getConnection(); var statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException away) { // or another client did it at the same time; then it is there
    }
  }
}
