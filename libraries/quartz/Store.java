import com.google.gson.JsonObject;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.quartz.Scheduler;

/** The tables of Quartz's own script, and the properties of a node, as its documentation of clustering has them. */
class Store {
  private static final String SCRIPT = "/org/quartz/impl/jdbcjobstore/tables_mysql_innodb.sql";

  private static String url(JsonObject server) {
    String at = HoldfastAdapter.text(server, "host") + ":" + HoldfastAdapter.text(server, "port");
    return "jdbc:mariadb://" + at + "/" + HoldfastAdapter.text(server, "database")
        + "?connectTimeout=2000&socketTimeout=2000"; // else a cut is waited for by TCP
  }

  static void makeTables(JsonObject server) throws Exception {
    String script;
    try (InputStream in = Scheduler.class.getResourceAsStream(SCRIPT)) {
      script = new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("(?m)^#.*$", "");
    }
    String user = HoldfastAdapter.text(server, "user");
    try (Connection made = DriverManager.getConnection(url(server), user, "");
        Statement statement = made.createStatement()) {
      for (String one : script.split(";")) run(statement, one.strip());
    } catch (SQLException away) { // then the tables are there: each client makes them
    }
  }

  private static void run(Statement statement, String sql) {
    if (!sql.startsWith("CREATE")) return; // the script drops what is there, which others use
    try {
      statement.execute(sql.replaceFirst("^CREATE (TABLE|INDEX)", "CREATE $1 IF NOT EXISTS"));
    } catch (SQLException meanwhile) { // another client does the same
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
    all.put("org.quartz.dataSource.db.URL", url(server));
    all.put("org.quartz.dataSource.db.user", HoldfastAdapter.text(server, "user"));
    all.put("org.quartz.dataSource.db.password", "");
    all.put("org.quartz.dataSource.db.maxConnections", "4"); // 10, as it comes, are too many for the server of a lab
    all.put("org.quartz.dataSource.db.connectionTimeout", "2000");
    JsonObject further = hello.getAsJsonObject("options").getAsJsonObject("quartz");
    if (further != null) further.entrySet().forEach(one -> all.put(one.getKey(), one.getValue().getAsString()));
    return all;
  }
}
