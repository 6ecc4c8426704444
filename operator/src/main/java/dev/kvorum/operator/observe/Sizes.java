package dev.kvorum.operator.observe;

import io.fabric8.kubernetes.api.model.Quantity;

/** Quantities of Kubernetes as bytes. */
public final class Sizes {
  private Sizes() {}

  /** How many bytes a text such as {@code 10Gi} means. */
  public static long bytes(String quantity) {
    return bytes(Quantity.parse(quantity));
  }

  /** How many bytes a quantity means. */
  public static long bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity).longValue();
  }
}
