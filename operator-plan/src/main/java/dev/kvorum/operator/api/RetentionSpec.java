package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** Which backups are kept: what any of these rules keeps, and always the newest. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RetentionSpec(
    @JsonPropertyDescription("Number of the newest backups.") @Default("1") @Min(1) @Max(10000)
        Integer last,
    @JsonPropertyDescription("Days (UTC), of each of which the newest backup is kept.")
        @Default("0")
        @Min(0)
        @Max(10000)
        Integer daily,
    @JsonPropertyDescription("Weeks (UTC), of each of which the newest backup is kept.")
        @Default("0")
        @Min(0)
        @Max(10000)
        Integer weekly,
    @JsonProperty("for")
        @JsonPropertyDescription("Age up to which all backups are kept, such as 72h.")
        @Pattern("^([0-9]{1,6}h)?([0-9]{1,5}m)?([0-9]{1,6}s)?$")
        @Size(min = 2)
        @Nullable String within) {
  public RetentionSpec {
    last = requireNonNullElse(last, 1);
    daily = requireNonNullElse(daily, 0);
    weekly = requireNonNullElse(weekly, 0);
  }
}
