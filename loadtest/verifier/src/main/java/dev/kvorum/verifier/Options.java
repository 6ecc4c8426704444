package dev.kvorum.verifier;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The load, its duration and the tolerated errors and latency.
 *
 * @param url where the cluster serves requests
 * @param trust what its certificate must be of: the CAs in a file, otherwise those of the JDK
 * @param token of the user that sends the requests
 * @param rate requests per second of all clients
 * @param clients number of concurrent clients
 * @param keys number of keys of all clients
 * @param valueBytes size of a value
 * @param reads share of the requests that are reads
 * @param warmUp time in which everything is checked but nothing is counted
 * @param time time in which requests are counted
 * @param until a file whose appearance ends the run earlier
 * @param report a file that receives the same as standard output, such as a pod's termination log
 * @param timeout how long the first write, each key's last read and its last write are retried
 * @param errorsMax tolerated share of failed requests
 * @param p99Max tolerated 99th percentile of latency
 * @param pauseMax tolerated time without an acknowledged write
 */
record Options(
    URI url,
    SSLContext trust,
    Optional<String> token,
    int rate,
    int clients,
    int keys,
    int valueBytes,
    double reads,
    Duration warmUp,
    Duration time,
    Optional<Path> until,
    Optional<Path> report,
    Duration timeout,
    double errorsMax,
    Duration p99Max,
    Duration pauseMax) {
  static final String USAGE =
      "Verifier --url=http://host:port [--ca=file] [--token-file=file] [--rate=500] [--clients=32] [--keys=1000]"
          + " [--value-bytes=100] [--reads=0.5] [--warm-up-seconds=0] [--seconds=10] [--until=file] [--report=file]"
          + " [--wait-seconds=30] [--errors-max=1] [--p99-max-millis=60000]"
          + " [--pause-max-seconds=3600]; $KVORUM_TOKEN has the token where there is no --token-file";

  static Options parse(String... arguments) {
    Map<String, String> given = new HashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (!argument.startsWith("--") || equals < 0) {
        throw new IllegalArgumentException(argument + " is not --name=value");
      }
      given.put(argument.substring(2, equals), argument.substring(equals + 1));
    }
    Options options = of(given);
    if (!given.isEmpty()) {
      throw new IllegalArgumentException("unknown: " + given.keySet());
    }
    return options;
  }

  private static Options of(Map<String, String> given) {
    String url = given.remove("url");
    if (url == null) {
      throw new IllegalArgumentException("--url is missing");
    }
    return new Options(
        URI.create(url),
        trust(Optional.ofNullable(given.remove("ca"))),
        token(Optional.ofNullable(given.remove("token-file")), System.getenv("KVORUM_TOKEN")),
        (int) number(given, "rate", 500, 1, 1_000_000),
        (int) number(given, "clients", 32, 1, 10_000),
        (int) number(given, "keys", 1_000, 1, 10_000_000),
        (int) number(given, "value-bytes", 100, 16, 1 << 20),
        number(given, "reads", 0.5, 0, 1),
        seconds(number(given, "warm-up-seconds", 0, 0, 3_600)),
        seconds(number(given, "seconds", 10, 0, 86_400)),
        Optional.ofNullable(given.remove("until")).map(Path::of),
        Optional.ofNullable(given.remove("report")).map(Path::of),
        seconds(number(given, "wait-seconds", 30, 0, 3_600)),
        number(given, "errors-max", 1, 0, 1),
        Duration.ofMillis((long) number(given, "p99-max-millis", 60_000, 1, 3_600_000)),
        seconds(number(given, "pause-max-seconds", 3_600, 0.1, 3_600)));
  }

  private static SSLContext trust(Optional<String> file) {
    try {
      return Api.trusting(file.map(Path::of));
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "--ca is " + file.orElse("not given") + ", which has no certificates to trust: " + e, e);
    }
  }

  /**
   * Returns the token in a file or, without one, that of a variable. It is not an argument, since
   * others on the machine can see those.
   */
  static Optional<String> token(Optional<String> file, @Nullable String variable) {
    if (file.isEmpty()) {
      return Optional.ofNullable(variable)
          .filter(it -> !it.isEmpty())
          .map(it -> word("$KVORUM_TOKEN", it));
    }
    try {
      return Optional.of(word(file.get(), Files.readString(Path.of(file.get()))));
    } catch (IOException e) {
      throw new IllegalArgumentException(file.get() + " cannot be read", e);
    }
  }

  private static String word(String source, String text) {
    String word = text.strip();
    if (word.isEmpty() || word.chars().anyMatch(letter -> letter <= ' ' || letter > '~')) {
      throw new IllegalArgumentException(source + " has no token: one word of ASCII characters");
    }
    return word;
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1e3));
  }

  private static double number(
      Map<String, String> given, String name, double otherwise, double least, double most) {
    String text = given.remove(name);
    double value = text == null ? otherwise : Double.parseDouble(text);
    if (!(value >= least && value <= most)) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "--%s is %s; it must be %s to %s", name, text, least, most));
    }
    return value;
  }
}
