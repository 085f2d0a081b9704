import com.google.gson.JsonObject;
import com.zaxxer.hikari.HikariDataSource;

/** The database, with the library's table in it, as its scripts for MariaDB and PostgreSQL have it. */
class Source {
  private static final String COLUMNS = "(task_name %1$s NOT NULL, task_instance %1$s NOT NULL, task_data %2$s,"
      + " execution_time %3$s NOT NULL, picked BOOLEAN NOT NULL, picked_by VARCHAR(50), last_success %3$s,"
      + " last_failure %3$s, consecutive_failures INT, last_heartbeat %3$s, version BIGINT NOT NULL, priority SMALLINT,"
      + " PRIMARY KEY (task_name, task_instance))";

  static HikariDataSource of(JsonObject server) {
    String table = Database.isPostgres(server)
        ? String.format(COLUMNS, "TEXT", "BYTEA", "TIMESTAMP WITH TIME ZONE")
        : String.format(COLUMNS, "VARCHAR(100)", "BLOB", "DATETIME(6) NULL").replace("NULL NOT NULL", "NOT NULL");
    Database.make(server, "CREATE TABLE IF NOT EXISTS scheduled_tasks " + table,
        "CREATE INDEX IF NOT EXISTS execution_time_idx ON scheduled_tasks (execution_time)",
        "CREATE INDEX IF NOT EXISTS last_heartbeat_idx ON scheduled_tasks (last_heartbeat)");
    return Database.pool(server, 4);
  }
}
