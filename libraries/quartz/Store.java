import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.regex.Pattern;
import org.quartz.Scheduler;

/** The tables of Quartz's own script, and the properties of a node, as its documentation of clustering has them. */
class Store {
  private static final String SCRIPT = "/org/quartz/impl/jdbcjobstore/tables_mysql_innodb.sql";
  private static final Pattern CREATE = // no DROP: it would take from others what they use
      Pattern.compile("^CREATE (TABLE|INDEX)[^;]+", Pattern.MULTILINE);

  static void makeTables(JsonObject server) throws IOException {
    try (InputStream in = Scheduler.class.getResourceAsStream(SCRIPT)) {
      String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Database.make(server, CREATE.matcher(script).results()
          .map(one -> one.group().replaceFirst(one.group(1), "$0 IF NOT EXISTS"))
          .toArray(String[]::new));
    }
  }

  static Properties properties(JsonObject hello) {
    Properties all = new Properties();
    JsonObject server = HoldfastAdapter.server(hello);
    all.put("org.quartz.scheduler.instanceName", "holdfast");
    all.put("org.quartz.scheduler.instanceId", "AUTO");
    all.put("org.quartz.threadPool.class", Pool.class.getName());
    all.put("org.quartz.threadPool.threadCount", "10");
    all.put("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
    all.put("org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.StdJDBCDelegate");
    all.put("org.quartz.jobStore.isClustered", "true");
    all.put("org.quartz.jobStore.dataSource", "db");
    all.put("org.quartz.dataSource.db.provider", "hikaricp");
    all.put("org.quartz.dataSource.db.driver", "org.mariadb.jdbc.Driver");
    all.put("org.quartz.dataSource.db.URL", Database.url(server));
    all.put("org.quartz.dataSource.db.user", Database.user(server));
    all.put("org.quartz.dataSource.db.password", "");
    all.put("org.quartz.dataSource.db.maxConnections", "4"); // 10, as it comes, are too many for the server of a lab
    all.put("org.quartz.dataSource.db.connectionTimeout", "2000");
    JsonObject further = hello.getAsJsonObject("options").getAsJsonObject("quartz");
    if (further != null) further.entrySet().forEach(one -> all.put(one.getKey(), one.getValue().getAsString()));
    return all;
  }
}
