package dev.kvorum.operator.observe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A node's report as it comes: what is not known is passed over, what is not there counts as not
 * yet.
 */
final class ReportReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReportReader() {}

  static Optional<NodeReport> read(byte[] body) {
    JsonNode json;
    try {
      json = JSON.readTree(new String(body, java.nio.charset.StandardCharsets.UTF_8));
    } catch (JsonProcessingException notJson) {
      return Optional.empty();
    }
    if (json == null || !json.path("node").isTextual()) {
      return Optional.empty();
    }
    Map<String, NodeReport.PeerView> peers = new HashMap<>();
    for (JsonNode member : json.path("members")) {
      peers.put(
          member.path("name").asText(),
          new NodeReport.PeerView(
              member.path("connected").asBoolean(), member.path("hints").asLong()));
    }
    return Optional.of(
        new NodeReport(
            json.path("cluster").asText(),
            json.path("node").asText(),
            json.path("epoch").asLong(),
            json.path("rebuilding").asBoolean(),
            transfer(json.path("transfer")),
            json.path("cleared").asBoolean(),
            json.path("hintsWaiting").asLong(),
            peers,
            number(json.path("diskFreeBytes")),
            number(json.path("dataBytes"))));
  }

  private static Optional<NodeReport.Transfer> transfer(JsonNode json) {
    return json.path("epoch").isIntegralNumber()
        ? Optional.of(
            new NodeReport.Transfer(
                json.path("epoch").asLong(), json.path("state").asText().equals("DONE")))
        : Optional.empty();
  }

  private static OptionalLong number(JsonNode json) {
    return json.isIntegralNumber() ? OptionalLong.of(json.asLong()) : OptionalLong.empty();
  }
}
