import com.google.gson.JsonObject;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.provider.jdbctemplate.JdbcTemplateLockProvider;
import org.springframework.jdbc.core.JdbcTemplate;

/** The provider on a table, as its README configures it, with a pool of connections. */
class Table {
  private static final String TABLE = // of its README
      "CREATE TABLE IF NOT EXISTS shedlock(name VARCHAR(64) NOT NULL, lock_until TIMESTAMP(3) NOT NULL, locked_at "
          + "TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3), locked_by VARCHAR(255) NOT NULL, PRIMARY KEY (name))";

  static LockProvider provider(JsonObject hello, JsonObject server) {
    Database.make(server, TABLE);
    JdbcTemplate template = new JdbcTemplate(Database.pool(server, 3));
    var configuration = JdbcTemplateLockProvider.Configuration.builder().withJdbcTemplate(template);
    boolean named = !HoldfastAdapter.option(hello, "one_host");
    if (named) configuration.withLockedByValue(HoldfastAdapter.text(hello, "owner"));
    if (HoldfastAdapter.option(hello, "db_time")) configuration.usingDbTime();
    return new JdbcTemplateLockProvider(configuration.build());
  }
}
