package dev.kvorum.operator.view;

import dev.kvorum.operator.api.Quantities;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.List;

/** Converts Kubernetes quantities to bytes. */
public final class Sizes {
  private static final long KIBI = 1024;
  private static final List<String> UNITS = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi");

  private Sizes() {}

  /** Returns the bytes of a text such as {@code 10Gi}; 0 if it is not a quantity. */
  public static long bytes(String quantity) {
    return Quantities.read(quantity).map(Sizes::bytes).orElse(0L);
  }

  /** Returns a quantity of so many bytes, in the largest unit without a fraction. */
  public static String text(long bytes) {
    long rest = bytes;
    int unit = 0;
    while (rest > 0 && rest % KIBI == 0 && unit + 1 < UNITS.size()) {
      rest /= KIBI;
      unit++;
    }
    return rest + UNITS.get(unit);
  }

  /** Returns the bytes of a quantity. */
  public static long bytes(Quantity quantity) {
    return Quantity.getAmountInBytes(quantity).longValue();
  }
}
