package dev.kvorum.operator.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** What a user may use of each node. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LimitsSpec(
    @JsonPropertyDescription("Requests per second, and how many may come at once.")
        @Min(1)
        @Max(1_000_000)
        @Nullable Integer requestsPerSecond,
    @JsonPropertyDescription("Bytes of values of its requests in flight, from 1Mi to 1Ti.")
        @Size(max = 32)
        @Pattern("^[0-9]+(k|M|G|T|Ki|Mi|Gi|Ti)?$")
        @ValidationRule(
            value =
                "quantity(self).compareTo(quantity('1Mi')) >= 0 &&"
                    + " quantity(self).compareTo(quantity('1Ti')) <= 0",
            message = "bytesInFlight must be 1Mi to 1Ti")
        @Nullable String bytesInFlight) {}
