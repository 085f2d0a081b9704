import com.google.gson.JsonObject;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * What adapters on tables share: a pool of connections to the lab's MariaDB or PostgreSQL, and the tables in it. It is
 * compiled only where Lock.java leads to it: no other adapter has the pool in its pom.xml.
 */
class Database {
  static HikariDataSource pool(JsonObject server, int connections) {
    HikariDataSource pool = new HikariDataSource();
    pool.setJdbcUrl(url(server));
    pool.setUsername(user(server));
    pool.setConnectionTimeout(2000);
    pool.setMaximumPoolSize(connections); // as it comes, 10: too many for the server, with all clients
    pool.setInitializationFailTimeout(0); // the first one however long it takes, unless the server is away
    return pool;
  }

  /** Only to connect has a limit: one for replies would end a call whose grant comes after its lease, and hide that. */
  static String url(JsonObject server) {
    String at = HoldfastAdapter.text(server, "host") + ":" + HoldfastAdapter.text(server, "port") + "/";
    String database = HoldfastAdapter.text(server, "database");
    return isPostgres(server)
        ? "jdbc:postgresql://" + at + (database.isEmpty() ? "postgres" : database) + "?connectTimeout=2"
        : "jdbc:mariadb://" + at + database + "?connectTimeout=2000";
  }

  static String user(JsonObject server) {
    String user = HoldfastAdapter.text(server, "user");
    return isPostgres(server) && user.isEmpty() ? "postgres" : user;
  }

  static boolean isPostgres(JsonObject server) {
    return HoldfastAdapter.text(server, "kind").equals("postgres");
  }

  /** Makes tables and indexes. All clients do: what one cannot make, another has made or makes at the same time. */
  static void make(JsonObject server, String... statements) {
    try (var connection = DriverManager.getConnection(url(server), user(server), "");
        var statement = connection.createStatement()) {
      for (String one : statements) {
        try {
          statement.execute(one);
        } catch (SQLException meanwhile) { // another does the same
        }
      }
    } catch (SQLException away) { // the server, when we start
    }
  }
}
