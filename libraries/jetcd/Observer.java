import com.google.gson.JsonObject;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.Election;
import io.etcd.jetcd.election.LeaderResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Says who leads, as observe() tells. When that ends, which the library does not mend, it is begun anew. */
class Observer implements Election.Listener {
  private static final long AGAIN_MS = 500;

  private final Client client;
  private final String key;
  private String seen = "";

  Observer(Client client, String key) {
    this.client = client;
    this.key = key;
    begin();
  }

  private void begin() {
    client.getElectionClient().observe(ByteSequence.from(key.getBytes()), this);
  }

  @Override
  public void onNext(LeaderResponse response) {
    String leader = response.getKv().getValue().toString();
    if (leader.equals(seen)) return;
    seen = leader;
    JsonObject said = HoldfastAdapter.is("leader");
    said.addProperty("lock", key);
    said.addProperty("holder", leader);
    HoldfastAdapter.say(said);
  }

  @Override
  public void onError(Throwable error) {
    onCompleted();
  }

  @Override
  public void onCompleted() {
    CompletableFuture.delayedExecutor(AGAIN_MS, TimeUnit.MILLISECONDS).execute(this::begin);
  }
}
