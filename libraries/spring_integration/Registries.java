import com.google.gson.JsonObject;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry;
import org.springframework.integration.redis.util.RedisLockRegistry.RedisLockType;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.support.locks.RenewableLockRegistry;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/** The registries as an application context makes them, by hand. */
class Registries {
  private static final String TABLE = // of its schema-mysql.sql
      "CREATE TABLE IF NOT EXISTS INT_LOCK (LOCK_KEY CHAR(36) NOT NULL, REGION VARCHAR(100) NOT NULL,"
          + " CLIENT_ID CHAR(36), CREATED_DATE DATETIME(6) NOT NULL, EXPIRED_AFTER DATETIME(6) NOT NULL,"
          + " constraint INT_LOCK_PK primary key (LOCK_KEY, REGION)) ENGINE=InnoDB";

  static RenewableLockRegistry<DistributedLock> inRedis(JsonObject hello, JsonObject server, Duration lease) {
    LettuceConnectionFactory factory =
        new LettuceConnectionFactory(HoldfastAdapter.text(server, "host"), server.get("port").getAsInt());
    factory.afterPropertiesSet();
    factory.start();
    RedisLockRegistry registry = new RedisLockRegistry(factory, "locks", lease);
    if (HoldfastAdapter.option(hello, "pub_sub")) registry.setRedisLockType(RedisLockType.PUB_SUB_LOCK);
    if (HoldfastAdapter.option(hello, "renewal")) {
      ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();
      scheduler.afterPropertiesSet();
      registry.setRenewalTaskScheduler(scheduler);
    }
    return registry;
  }

  static RenewableLockRegistry<DistributedLock> onTable(JsonObject server, Duration lease) {
    Database.make(server, TABLE);
    HikariDataSource source = Database.pool(server, 3);
    DefaultLockRepository repository = new DefaultLockRepository(source);
    repository.setTransactionManager(new JdbcTransactionManager(source));
    repository.setCheckDatabaseOnStart(false);
    repository.afterPropertiesSet();
    repository.afterSingletonsInstantiated();
    return new JdbcLockRegistry(repository, lease) {
      @Override
      protected String pathFor(String key) { // else its hash: then no request would name its key
        return key;
      }
    };
  }
}
