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

/** What a load test is to do: one rate, or several one after the other. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "self.connections >= self.threads",
    message = "connections must be at least threads: each thread needs one")
@ValidationRule(
    value = "!has(self.ack) || !has(self.from) || self.ack <= self.from",
    message = "ack must be at most from")
public record KvorumLoadTestSpec(
    @JsonPropertyDescription("The KvorumCluster in this namespace that is put under load.")
        @Required
        @Size(min = 1, max = 45)
        String cluster,
    @JsonPropertyDescription(
            "What it does: `put`, `get`, `mixed`, `skewed` (Zipf) or `range`, each a script of"
                + " loadtest/.")
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
            "How long each rate is offered, such as 90s, 3m or 1h. wrk2 spends the first ten"
                + " seconds on"
                + " calibration, whose latencies it drops.")
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
            "Requests a second to offer: one rate, or up to 20 in ascending order, one after the"
                + " other.")
        @Required
        @Size(min = 1, max = 20)
        @ValidationRule(
            value = "self.all(rate, rate >= 1 && rate <= 10000000)",
            message = "each of rates must be from 1 to 10000000 requests a second")
        @ValidationRule(
            value = "self.isSorted() && self.all(rate, self.exists_one(other, other == rate))",
            message = "rates must be in ascending order, each once")
        List<Long> rates,
    @JsonPropertyDescription("How many keys there are.")
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
    @JsonPropertyDescription("Replicas that must answer; left out: the node decides.")
        @Min(1)
        @Max(99)
        @Nullable Integer ack,
    @JsonPropertyDescription("Replicas that are asked; left out: the node decides.")
        @Min(1)
        @Max(99)
        @Nullable Integer from,
    @JsonPropertyDescription("GETs in a hundred of `mixed` (50) and `skewed` (90).")
        @Min(0)
        @Max(100)
        @Nullable Integer gets,
    @JsonPropertyDescription("The exponent of `skewed` (0.99): the larger, the more uneven.")
        @Min(0.1)
        @Max(5)
        @Nullable Double skew,
    @JsonPropertyDescription("Records of each range of `range` (100).") @Min(1) @Max(1000000)
        @Nullable Integer records,
    @JsonPropertyDescription(
            "Whether every key is put once before the first rate. Left out: yes for all but `put`.")
        @Nullable Boolean fill,
    @JsonPropertyDescription(
            "The latency that p99 may have at most for a rate to count for the knee of the sweep,"
                + " such"
                + " as 500us, 50ms or 1s.")
        @Default("50ms")
        @Size(max = 16)
        @Pattern("^[0-9]{1,9}(us|ms|s)$")
        String p99Max,
    @JsonPropertyDescription(
            "How long the cluster is waited for at a time, before the first rate or between two,"
                + " while it"
                + " is missing or not ready, such as 90s, 3m or 1h; then the load test ends.")
        @Default("1h")
        @Size(max = 16)
        @Pattern("^([0-9]{1,5}h)?([0-9]{1,5}m)?([0-9]{1,5}s)?$")
        @ValidationRule(
            value =
                "self != '' && duration(self) >= duration('1s') && duration(self) <="
                    + " duration('720h')",
            message = "waitMax must be from 1s to 720h")
        String waitMax,
    @JsonPropertyDescription("The image, whose entry point is wrk2.")
        @Default("cylab/wrk2")
        @Size(min = 1, max = 512)
        String image,
    @JsonPropertyDescription("When the image is pulled.") @Default("IfNotPresent")
        PullPolicy imagePullPolicy,
    @JsonPropertyDescription(
            "What the Job's container asks for: 500m and 256Mi, and no more memory than that. No"
                + " CPU"
                + " limit unless one is given.")
        @Nullable ResourcesSpec resources,
    @JsonPropertyDescription("What else the Job's pods are given.") @Nullable PodExtras pod) {
  /** How large values are by default. */
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
    image = requireNonNullElse(image, "cylab/wrk2");
    imagePullPolicy = requireNonNullElse(imagePullPolicy, PullPolicy.IF_NOT_PRESENT);
  }
}
