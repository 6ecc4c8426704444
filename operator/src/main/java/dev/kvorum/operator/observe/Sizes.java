package dev.kvorum.operator.observe;

import dev.kvorum.operator.api.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;

/** Quantities of Kubernetes as bytes. */
public final class Sizes {
  private Sizes() {}

  /** How many bytes a text such as {@code 10Gi} means; 0 for one that is no quantity. */
  public static long bytes(String quantity) {
    return Quantities.read(quantity).map(Sizes::bytes).orElse(0L);
  }

  /** How many bytes a quantity means. */
  public static long bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity).longValue();
  }
}
