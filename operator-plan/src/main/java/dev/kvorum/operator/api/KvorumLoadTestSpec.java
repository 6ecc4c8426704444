package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The desired load: one rate, or several run one after the other. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.connections >= self.threads",
    message = "connections must be at least threads: each thread needs one")
@ValidationRule(
    value = "!has(self.ack) || !has(self.from) || self.ack <= self.from",
    message = "ack must be at most from")
public record KvorumLoadTestSpec(
    @JsonPropertyDescription("Name of the KvorumCluster in this namespace to put under load.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription(
            "The requests to send: `put`, `get`, `mixed`, `skewed` (Zipf) or `range`, each "
                + "a script in loadtest/.")
        @Default("mixed")
        LoadWorkload workload,
    @JsonPropertyDescription("Connections that share the load.") @Default("64") @Min(1) @Max(10000)
        Integer connections,
    @JsonPropertyDescription("wrk2's threads, which share the connections.")
        @Default("2")
        @Min(1)
        @Max(64)
        Integer threads,
    @JsonPropertyDescription(
            "How long to offer each rate, such as 90s, 3m or 1h. wrk2 calibrates in the "
                + "first ten seconds and discards their latencies.")
        @Default("1m")
        @Size(max = 16)
        @Pattern("^([0-9]{1,5}h)?([0-9]{1,5}m)?([0-9]{1,5}s)?$")
        @ValidationRule(
            value =
                "self != '' && duration(self) >= duration('15s') && duration(self) <="
                    + " duration('6h')",
            message = "duration must be from 15s to 6h")
        String duration,
    @JsonPropertyDescription(
            "Requests per second to offer: one rate, or up to 20 in ascending order, run "
                + "one after the other.")
        @Required
        @Size(min = 1, max = 20)
        @ValidationRule(
            value = "self.all(rate, rate >= 1 && rate <= 10000000)",
            message = "each of rates must be from 1 to 10000000 requests a second")
        @ValidationRule(
            value = "self.isSorted() && self.all(rate, self.exists_one(other, other == rate))",
            message = "rates must be in ascending order, each once")
        List<Long> rates,
    @JsonPropertyDescription("Number of keys.")
        @Default("1000000")
        @ValidationRule(
            value = "self >= 1 && self <= 9999999999",
            message = "keys must be from 1 to 9999999999")
        Long keys,
    @JsonPropertyDescription("The size of values in bytes: a number, or a range such as 100-1000.")
        @Default("100")
        @Size(max = 17)
        @ValidationRule(
            value =
                "type(self) == int ? self >= 0 && self <= 16777216 :"
                    + " self.matches('^[0-9]{1,8}(-[0-9]{1,8})?$')",
            message = "valueBytes must be a number from 0 to 16777216 or a range MIN-MAX of two")
        @ValidationRule(
            value =
                "type(self) == int || !self.matches('^[0-9]{1,8}-[0-9]{1,8}$') ||"
                    + " int(self.split('-')[0]) <= int(self.split('-')[1])",
            message = "the first number of valueBytes must be at most the second")
        IntOrString valueBytes,
    @JsonPropertyDescription("Replicas that must reply. If left out, the node's default.")
        @Min(1)
        @Max(99)
        @Nullable Integer ack,
    @JsonPropertyDescription("Replicas that are asked. If left out, the node's default.")
        @Min(1)
        @Max(99)
        @Nullable Integer from,
    @JsonPropertyDescription(
            "Percentage of GETs in `mixed` (default 50) and `skewed` (default 90).")
        @Min(0)
        @Max(100)
        @Nullable Integer gets,
    @JsonPropertyDescription(
            "Zipf exponent of `skewed` (default 0.99); a larger one concentrates requests "
                + "on fewer keys.")
        @Min(0.1)
        @Max(5)
        @Nullable Double skew,
    @JsonPropertyDescription("Records in each range of `range` (default 100).")
        @Min(1)
        @Max(1000000)
        @Nullable Integer records,
    @JsonPropertyDescription(
            "Whether to put every key once before the first rate. If left out, true for all "
                + "workloads but `put`.")
        @Nullable Boolean fill,
    @JsonPropertyDescription(
            "Highest p99 latency at which a rate counts for the knee of the sweep, such as "
                + "500us, 50ms or 1s.")
        @Default("50ms")
        @Size(max = 16)
        @Pattern("^[0-9]{1,9}(us|ms|s)$")
        String p99Max,
    @JsonPropertyDescription(
            "How long to wait for a cluster that is missing or not ready, or for the user that "
                + "it needs, each time before a rate, such as 90s, 3m or 1h. The load test fails "
                + "after that.")
        @Default("1h")
        @Size(max = 16)
        @Pattern("^([0-9]{1,5}h)?([0-9]{1,5}m)?([0-9]{1,5}s)?$")
        @ValidationRule(
            value =
                "self != '' && duration(self) >= duration('1s') && duration(self) <="
                    + " duration('720h')",
            message = "waitMax must be from 1s to 720h")
        String waitMax,
    @JsonPropertyDescription(
            "The image, whose entry point is wrk2. If left out, the operator's default.")
        @Size(min = 1, max = 512)
        @Nullable String image,
    @JsonPropertyDescription("Pull policy of the image.") @Default("IfNotPresent")
        PullPolicy imagePullPolicy,
    @JsonPropertyDescription(
            "Resources of the Job's container. Defaults: requests of 500m CPU and 256Mi "
                + "memory, a memory limit of 256Mi, no CPU limit.")
        @Nullable ResourcesSpec resources,
    @JsonPropertyDescription("Additional fields of the Job's pods.") @Nullable PodExtras pod) {
  /** Default size of values. */
  private static final IntOrString HUNDRED = new IntOrString(100);

  /** A spec in which nothing is set. */
  public static final KvorumLoadTestSpec DEFAULTS = ofDefaults();

  @SuppressWarnings("NullAway") // what is left out comes as null
  private static KvorumLoadTestSpec ofDefaults() {
    return new KvorumLoadTestSpec(
        null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
        null, null, null, null, null);
  }

  public KvorumLoadTestSpec {
    cluster = requireNonNullElse(cluster, "");
    workload = requireNonNullElse(workload, LoadWorkload.MIXED);
    connections = requireNonNullElse(connections, 64);
    threads = requireNonNullElse(threads, 2);
    duration = requireNonNullElse(duration, "1m");
    rates = List.copyOf(requireNonNullElse(rates, List.of()));
    keys = requireNonNullElse(keys, 1_000_000L);
    valueBytes = requireNonNullElse(valueBytes, HUNDRED);
    p99Max = requireNonNullElse(p99Max, "50ms");
    waitMax = requireNonNullElse(waitMax, "1h");
    imagePullPolicy = requireNonNullElse(imagePullPolicy, PullPolicy.IF_NOT_PRESENT);
  }
}
