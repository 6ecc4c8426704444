package dev.kvorum.operator.loadtest;

import dev.kvorum.operator.api.KvorumLoadTestSpec;
import dev.kvorum.operator.api.LoadErrors;
import dev.kvorum.operator.api.LoadResult;
import dev.kvorum.operator.api.LoadSummary;
import dev.kvorum.operator.api.LoadWorkload;
import dev.kvorum.operator.loadtest.observe.LoadObserved;
import dev.kvorum.operator.view.JobUser;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Load tests that differ in what a test is about. */
public final class LoadTests {
  private LoadTests() {}

  /** Of the cluster {@code kvorum}, at these rates. */
  public static KvorumLoadTestSpec spec(LoadWorkload workload, Long... rates) {
    return spec(workload, "100ms", rates);
  }

  /** With a bound for p99. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static KvorumLoadTestSpec spec(LoadWorkload workload, String p99Max, Long... rates) {
    return new KvorumLoadTestSpec(
        "kvorum",
        workload,
        64,
        2,
        "30s",
        List.of(rates),
        1000L,
        null,
        2,
        3,
        null,
        null,
        null,
        null,
        p99Max,
        "10m",
        "wrk2:1",
        null,
        null,
        null);
  }

  /** A cluster that serves everyone. */
  public static Optional<LoadObserved.Target> target(String id, @Nullable String notReady) {
    return Optional.of(
        new LoadObserved.Target(id, Optional.ofNullable(notReady), false, new JobUser.Unneeded()));
  }

  /** A result of which only these matter. */
  public static LoadResult result(int step, long offered, double achieved, double p99Micros) {
    return result(step, offered, achieved, p99Micros, Double.NaN);
  }

  /** The same with the largest latency. */
  @SuppressWarnings("NullAway") // what is left out comes as null
  public static LoadResult result(
      int step, long offered, double achieved, double p99Micros, double maxMicros) {
    return new LoadResult(
        step,
        new LoadSummary(offered, "", "", "", "", 0L),
        null,
        null,
        offered,
        achieved,
        30.0,
        64,
        2,
        1000L,
        1000L,
        0L,
        Map.of("99", p99Micros, "max", maxMicros),
        new LoadErrors(null, 0L, 0L, 0L, 0L),
        List.of());
  }

  /** What a script leaves behind at a rate: more than 3000 a second are too much. */
  public static String message(long rate) {
    return """
    {"format":1,"tool":"wrk2","workload":"put","offered":%d,"achieved":%d.5,"seconds":30.5,\
    "connections":64,"threads":2,"keys":1000,"requests":%d,"bytes":9000,"notFound":7,\
    "latencyMicros":{"count":50,"50":1234,"75":1500,"90":2000,"99":%d,"99.9":999999,\
    "99.99":1000000,"99.999":1000000,"100":1000000,"min":1,"max":1000000,"mean":1300.25,"stdev":null},\
    "errors":{"status":{"503":3,"504":1},"connect":0,"read":1,"write":0,"timeout":2},\
    "spectrum":[[0,1],[50,1234],[100,1000000]]}\
    """
        .formatted(rate, rate - 1, rate * 30, rate > 3000 ? 345_678 : 5678);
  }
}
