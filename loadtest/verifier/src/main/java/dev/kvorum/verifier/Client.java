package dev.kvorum.verifier;

import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of many clients, with keys of its own. It sends each request when it is due, however long the
 * previous one took, and measures its latency from the due time.
 */
final class Client implements Runnable {
  /** Maximum number of reported violations; more would add nothing. */
  private static final int REPORTED_MAX = 20;

  private static final Pattern DETAIL = Pattern.compile("\"detail\":\"([^\"]*)\"");

  private final Api api;
  private final List<OwnKey> keys;
  private final int valueBytes;
  private final double readShare;
  private final Pacer pacer;
  private final Tally tally;
  private final Queue<String> violations;
  private final RandomGenerator random = RandomGenerator.of("L64X128MixRandom");

  /** The schedule of the requests of this client. */
  interface Pacer {
    /** Waits for the next request and returns its due time; empty if there are no more requests. */
    OptionalLong awaitNext() throws InterruptedException;
  }

  Client(
      Api api,
      List<OwnKey> keys,
      Options options,
      Pacer pacer,
      Tally tally,
      Queue<String> violations) {
    this.api = api;
    this.keys = keys;
    this.valueBytes = options.valueBytes();
    this.readShare = options.reads();
    this.pacer = pacer;
    this.tally = tally;
    this.violations = violations;
  }

  @Override
  public void run() {
    try {
      while (true) {
        OptionalLong due = pacer.awaitNext();
        if (due.isEmpty()) {
          return;
        }
        OwnKey key = keys.get(random.nextInt(keys.size()));
        if (key.isWritten() && random.nextDouble() < readShare) {
          read(key, due.getAsLong());
        } else {
          write(key, due.getAsLong());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(OwnKey key, long dueNanos) throws InterruptedException {
    Api.Answer answer = put(key);
    long now = System.nanoTime();
    if (isAcknowledged(answer)) {
      tally.acknowledged(dueNanos, now);
    } else {
      failed(answer, dueNanos, now);
    }
  }

  private Api.Answer put(OwnKey key) throws InterruptedException {
    long number = key.next();
    long start = System.nanoTime();
    Api.Answer answer = api.put(key.name(), value(key, number));
    if (answer instanceof Api.Answer.Status(_, String version, _) && isAcknowledged(answer)) {
      judge(key, key.acknowledged(number, version, start), "acknowledged", number, version);
    } else if (!answer.isRejection()) {
      key.unanswered(number, System.nanoTime());
    }
    return answer;
  }

  static boolean isAcknowledged(Api.Answer answer) {
    return answer instanceof Api.Answer.Status(int code, _, _) && code == 201;
  }

  private void read(OwnKey key, long dueNanos) throws InterruptedException {
    Api.Answer answer = api.get(key.name());
    long now = System.nanoTime();
    switch (answer) {
      case Api.Answer.Status status when isFinal(status) -> {
        judge(key, status);
        tally.read(dueNanos, now);
      }
      case Api.Answer other -> failed(other, dueNanos, now);
    }
  }

  /**
   * Reads every written key once more and returns how many could not be read before the deadline.
   */
  int readBack(long deadlineNanos) throws InterruptedException {
    return failed(this::isReadBack, deadlineNanos);
  }

  private boolean isReadBack(OwnKey key) throws InterruptedException {
    if (api.get(key.name()) instanceof Api.Answer.Status status && isFinal(status)) {
      judge(key, status);
      return true;
    }
    return false;
  }

  /** Whether a read has found the value, or that there is none. */
  private static boolean isFinal(Api.Answer.Status read) {
    return read.code() == 200 || read.code() == 404;
  }

  /**
   * Writes every written key once more and returns how many accepted no write before the deadline.
   */
  int writeOnceMore(long deadlineNanos) throws InterruptedException {
    return failed(this::isWritten, deadlineNanos);
  }

  private boolean isWritten(OwnKey key) throws InterruptedException {
    return isAcknowledged(put(key));
  }

  /** A request for a key; returns whether it succeeded. */
  private interface Attempt {
    boolean succeeds(OwnKey key) throws InterruptedException;
  }

  /** Repeats a request for each written key, and returns for how many it never succeeded. */
  private int failed(Attempt attempt, long deadlineNanos) throws InterruptedException {
    int failed = 0;
    for (OwnKey key : keys) {
      boolean done = !key.isWritten() || attempt.succeeds(key);
      while (!done && System.nanoTime() < deadlineNanos) {
        Thread.sleep(50);
        done = attempt.succeeds(key);
      }
      failed += done ? 0 : 1;
    }
    return failed;
  }

  private void judge(OwnKey key, Api.Answer.Status read) {
    if (read.code() == 404) {
      judge(key, key.missed(), "returned", read.code(), "");
    } else {
      long number = numberIn(key, read.body());
      judge(key, key.seen(number, read.version()), "returned", number, read.version());
    }
  }

  /** Reports a verdict if it is a violation; only then is the text put together. */
  private void judge(OwnKey key, OwnKey.Verdict verdict, String what, long number, String version) {
    if (verdict != OwnKey.Verdict.RIGHT && violations.size() < REPORTED_MAX) {
      violations.add((verdict + ": " + key + " " + what + " " + number + " " + version).strip());
    }
  }

  private void failed(Api.Answer answer, long dueNanos, long now) {
    switch (answer) {
      case Api.Answer.Status(int code, _, String body) ->
          tally.failed(Integer.toString(code), reason(body), dueNanos, now);
      case Api.Answer.None(String kind, _) -> tally.failed(kind, kind, dueNanos, now);
    }
  }

  /** Returns an answer in words, without its value. */
  static String described(Api.Answer answer) {
    return switch (answer) {
      case Api.Answer.Status(int code, _, String body) -> code + ": " + reason(body);
      case Api.Answer.None(String kind, _) -> kind;
    };
  }

  /** Returns the detail of a problem document. */
  private static String reason(String body) {
    Matcher detail = DETAIL.matcher(body);
    return detail.find() ? detail.group(1) : "without a reason";
  }

  /**
   * Returns a value with the key and the number, so that no two values are equal, padded to its
   * size.
   */
  private String value(OwnKey key, long number) {
    String text = key.name() + ":" + number;
    return text + " ".repeat(Math.max(0, valueBytes - text.length()));
  }

  /** Returns the number in a value; -1 if this client cannot have written the value. */
  private static long numberIn(OwnKey key, String body) {
    String text = body.strip();
    String prefix = key.name() + ":";
    try {
      return text.startsWith(prefix) ? Long.parseLong(text.substring(prefix.length())) : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
