package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** How and when the newest backup is verified. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record VerifySpec(
    @JsonPropertyDescription(
            "presence: all files are there; checksums: they are also read, and their SHA-256 "
                + "compared; drill: they are restored into a throw-away node, and its records "
                + "compared with those of the cluster.")
        @Default("checksums")
        Level level,
    @JsonPropertyDescription("When, in the five fields of cron.")
        @Required
        @Size(min = 9, max = 100)
        String cron,
    @JsonPropertyDescription(
            "The volume for a drill, which needs room for the largest checkpoint and one copy of all "
                + "records; it is deleted afterwards. Without it, an emptyDir.")
        @Nullable ScratchSpec scratch) {
  public VerifySpec {
    level = requireNonNullElse(level, Level.CHECKSUMS);
    cron = requireNonNullElse(cron, "");
  }

  /** How thoroughly. */
  public enum Level {
    @JsonProperty("presence")
    PRESENCE("presence"),
    @JsonProperty("checksums")
    CHECKSUMS("checksums"),
    @JsonProperty("drill")
    DRILL("drill");

    private final String label;

    Level(String label) {
      this.label = label;
    }

    /** What the command calls it. */
    public String label() {
      return label;
    }
  }

  /** A volume that is made for one Job. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record ScratchSpec(
      @JsonPropertyDescription("Size of the volume.")
          @Required
          @Size(max = 32)
          @Pattern("^[0-9]+(\\.[0-9]+)?(k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$")
          String size,
      @JsonPropertyDescription("Its storage class. If left out, the default class.")
          @Nullable String storageClass) {}
}
