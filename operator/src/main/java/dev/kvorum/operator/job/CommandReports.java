package dev.kvorum.operator.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;

/** Reads what a command of {@link CommandJobs} has reported. */
public final class CommandReports {
  private static final ObjectMapper JSON = new ObjectMapper();

  private CommandReports() {}

  /** The report; without any field if it is not valid, or its pod is gone. */
  public static JsonNode read(String message) {
    try {
      return JSON.readTree(message);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }

  /** The texts of an array. */
  public static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(text -> texts.add(text.asText()));
    return texts;
  }
}
