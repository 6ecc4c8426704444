package dev.kvorum.operator.api;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Quantities in user input, which may be invalid: {@code 768MB} is not a quantity. */
public final class Quantities {
  private Quantities() {}

  /** The quantity in a text; empty if it is invalid or negative. */
  public static Optional<Quantity> read(@Nullable String text) {
    try {
      Quantity quantity = Quantity.parse(text);
      return Quantity.getAmountInBytes(quantity).signum() < 0
          ? Optional.empty()
          : Optional.of(quantity);
    } catch (IllegalArgumentException | ArithmeticException none) {
      return Optional.empty();
    }
  }

  /** The values as text, unparsed. */
  static Map<String, IntOrString> typed(@Nullable Map<String, Object> raw) {
    Map<String, IntOrString> typed = new TreeMap<>();
    if (raw != null) {
      raw.forEach((name, value) -> typed.put(name, new IntOrString(String.valueOf(value))));
    }
    return typed;
  }

  /** The text of a value that may have been written as a number. */
  public static String text(IntOrString raw) {
    return String.valueOf(raw.getValue());
  }

  /** The valid quantities; others are left out. */
  public static Map<String, Quantity> of(Map<String, IntOrString> raw) {
    Map<String, Quantity> quantities = new TreeMap<>();
    raw.forEach((name, value) -> read(text(value)).ifPresent(it -> quantities.put(name, it)));
    return quantities;
  }
}
