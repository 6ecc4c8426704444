package dev.kvorum.metrics;

import java.util.Locale;

/** The operation of a client's request. */
public enum Operation {
  GET,
  HEAD,
  PUT,
  DELETE,
  RANGE,
  EXPLAIN,
  /** An unsupported method. */
  OTHER;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** This operation as a label in metrics and logs. */
  public String label() {
    return label;
  }
}
