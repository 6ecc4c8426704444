package dev.kvorum.operator.view;

import dev.kvorum.operator.api.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;

/** Converts Kubernetes quantities to bytes. */
public final class Sizes {
  private Sizes() {}

  /** Returns the bytes of a text such as {@code 10Gi}; 0 if it is not a quantity. */
  public static long bytes(String quantity) {
    return Quantities.read(quantity).map(Sizes::bytes).orElse(0L);
  }

  /** Returns the bytes of a quantity. */
  public static long bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity).longValue();
  }
}
