import dev.kvorum.client.ApiClient;
import dev.kvorum.client.ApiException;
import dev.kvorum.client.KeysApi;
import dev.kvorum.client.RangesApi;
import dev.kvorum.client.model.Explanation;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stores, reads, explains and deletes a key, and reads a range, with the generated client. */
public final class GeneratedClient {
  private GeneratedClient() {}

  public static void main(String[] arguments) throws Exception {
    String url = System.getenv().getOrDefault("KVORUM_URL", "http://localhost:8080");
    ApiClient client = new ApiClient();
    client.setBasePath(url);
    KeysApi keys = new KeysApi(client);
    RangesApi ranges = new RangesApi(client);
    String key = "generated:" + ProcessHandle.current().pid();
    Path value = Files.createTempFile("value", "");
    Files.writeString(value, "hello");

    keys.putEntity(key, 3_600_000L, 3, 3, null, value.toFile());
    File read = keys.getEntity(key, null, null, null, null);
    expect(Files.readString(read.toPath()).equals("hello"), "the value comes back");

    Explanation explanation = keys.explainEntity(key, null, null, null);
    expect(explanation.getStatus().toString().equals("200"), "it is explained");
    expect(explanation.getReplicas().size() == 3, "with three replicas");

    File lines =
        ranges.getEntities(
            key, null, null, null, 10L, null, null, "ndjson", false, null, null, null);
    expect(Files.readString(lines.toPath()).contains("\"bytes\":5"), "it is in a range");

    keys.deleteEntity(key, null, null, null);
    try {
      keys.getEntity(key, null, null, null, null);
      throw new AssertionError("the key is still there");
    } catch (ApiException missing) {
      expect(missing.getCode() == 404, "a deleted key is answered with 404, not " + missing.getCode());
      expect(missing.getResponseBody().contains("urn:kvorum:problem:not-found"), "and the problem");
    }
    System.out.println("generated client: ok");
  }

  private static void expect(boolean met, String what) {
    if (!met) {
      throw new AssertionError(what);
    }
  }
}
