package dev.kvorum.backup.comparison;

import dev.kvorum.cli.ApiClient;
import dev.kvorum.data.Key;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** When keys were deleted, as their replicas have it. */
public interface Deletions {
  /**
   * The version of a key's tombstone; empty if its newest record is none, or if it is not known.
   * Blocks.
   */
  Optional<String> of(Key key) throws IOException;

  /** What the nodes of a cluster report. */
  static Deletions ofCluster(ApiClient client) {
    return key -> {
      String path = ApiClient.path("explain", Map.of("id", key));
      HttpResponse<byte[]> response = client.get(path);
      if (response.statusCode() != 200) {
        return Optional.empty();
      }
      String newest = "";
      boolean isDeleted = false;
      for (JsonNode replica : JsonMapper.shared().readTree(response.body()).path("replicas")) {
        String version = replica.path("version").asString("");
        if (version.compareTo(newest) > 0) {
          newest = version;
          isDeleted = replica.path("record").asString().equals("tombstone");
        }
      }
      return isDeleted ? Optional.of(newest) : Optional.empty();
    };
  }
}
