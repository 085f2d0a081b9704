import com.google.gson.JsonObject;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.SQLException;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** The provider on a table, as its README configures it, with a pool of connections. */
class Table {
  private static final String TABLE = // of its README
      "CREATE TABLE IF NOT EXISTS shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP(3) NOT NULL, locked_at "
          + "TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))";

  static LockProvider provider(JsonObject hello, JsonObject server) {
    HikariDataSource source = new HikariDataSource();
    String at = HoldfastAdapter.text(server, "host") + ":" + HoldfastAdapter.text(server, "port");
    source.setJdbcUrl("jdbc:mariadb://" + at + "/" + HoldfastAdapter.text(server, "database")
        + "?connectTimeout=2000&socketTimeout=2000"); // else a cut is waited for by TCP
    source.setUsername(HoldfastAdapter.text(server, "user"));
    source.setConnectionTimeout(2000);
    source.setMaximumPoolSize(3); // as it comes, 10: too many for the server, with all clients
    source.setInitializationFailTimeout(0); // the first one however long it takes, unless the server is away
    try (var connection = source.getConnection(); var statement = connection.createStatement()) {
      statement.execute(TABLE);
    } catch (SQLException away) { // then the table is there: each client makes it
    }
    var configuration = JdbcTemplateLockProvider.Configuration.builder().withJdbcTemplate(new JdbcTemplate(source));
    boolean named = !HoldfastAdapter.option(hello, "one_host");
    if (named) configuration.withLockedByValue(HoldfastAdapter.text(hello, "owner"));
    if (HoldfastAdapter.option(hello, "db_time")) configuration.usingDbTime();
    return new JdbcTemplateLockProvider(configuration.build());
  }
}
