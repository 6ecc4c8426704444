package dev.kvorum.operator.observe;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.kvorum.operator.api.MemberState;
import dev.kvorum.operator.api.TopologyMember;
import dev.kvorum.operator.api.TopologyPhase;
import dev.kvorum.operator.view.NodeReport;
import dev.kvorum.operator.view.Release;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * Parses a node's report. Unknown fields are ignored; most missing ones count as zero, false or
 * empty.
 */
final class ReportReader {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Changes that nodes list among their features, and that need no activation. */
  private static final Set<String> OPERATIONS = Set.of("moving", "removing");

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
            release(json),
            names(json.path("features"), OPERATIONS::contains),
            names(json.path("activeFeatures"), name -> true),
            json.path("epoch").asLong(),
            reported(json),
            json.path("rebuilding").asBoolean(),
            json.path("blank").asBoolean(),
            Optional.of(json.path("restoring").asText()).filter(id -> !id.isEmpty()),
            transfer(json.path("transfer")),
            json.path("cleanedUp").asBoolean(),
            json.path("hintsWaiting").asLong(),
            peers,
            certificates(json.path("certificates")),
            json.path("users").asText(),
            number(json.path("diskFreeBytes")),
            number(json.path("dataBytes"))));
  }

  private static Map<String, String> certificates(JsonNode json) {
    Map<String, String> digests = new HashMap<>();
    json.properties().forEach(port -> digests.put(port.getKey(), port.getValue().asText()));
    return digests;
  }

  /** Returns empty if a phase or state is unknown: what cannot be parsed cannot be compared. */
  private static Optional<NodeReport.Reported> reported(JsonNode json) {
    Optional<TopologyPhase> phase = label(TopologyPhase.class, json.path("phase"));
    List<TopologyMember> members = new ArrayList<>();
    for (JsonNode member : json.path("members")) {
      label(MemberState.class, member.path("state"))
          .map(state ->
              new TopologyMember(
                  member.path("name").asText(),
                  member.path("zone").asText(),
                  state,
                  member.path("nextZone").textValue()))
          .ifPresent(members::add);
    }
    // A topology that the node has just received is not yet that of its epoch.
    JsonNode epoch = json.path("topologyEpoch");
    return phase
        .filter(known -> epoch.isMissingNode() || epoch.asLong() == json.path("epoch").asLong())
        .filter(known -> members.size() == json.path("members").size())
        .map(known -> new NodeReport.Reported(known, members));
  }

  /** Nodes of the first protocols name no release. */
  private static Release release(JsonNode json) {
    return json.path("protocols").isTextual()
        ? new Release(
            json.path("version").asText(),
            json.path("protocols").asText(),
            names(json.path("features"), name -> !OPERATIONS.contains(name)))
        : Release.UNNAMED;
  }

  private static Set<String> names(JsonNode json, Predicate<String> wanted) {
    return FeatureNames.of(
        StreamSupport.stream(json.spliterator(), false).map(JsonNode::asText).filter(wanted));
  }

  private static <E extends Enum<E>> Optional<E> label(Class<E> words, JsonNode json) {
    return Arrays.stream(words.getEnumConstants())
        .filter(label -> label.name().equals(json.asText()))
        .findFirst();
  }

  private static Optional<NodeReport.Transfer> transfer(JsonNode json) {
    return json.path("epoch").isIntegralNumber()
        ? Optional.of(
            new NodeReport.Transfer(
                json.path("epoch").asLong(),
                json.path("state").asText().equals("DONE"),
                json.path("sourcesDone").asInt(),
                json.path("sources").asInt(),
                json.path("bytes").asLong()))
        : Optional.empty();
  }

  private static OptionalLong number(JsonNode json) {
    return json.isIntegralNumber() ? OptionalLong.of(json.asLong()) : OptionalLong.empty();
  }
}
