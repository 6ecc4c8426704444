package dev.kvorum.operator.api;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Quantities as users write them, who may write anything: {@code 768MB} is none. */
public final class Quantities {
  private Quantities() {}

  /** What a text means, if it is a quantity that is not negative. */
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

  /** What was typed, word for word. */
  static Map<String, IntOrString> typed(@Nullable Map<String, Object> said) {
    Map<String, IntOrString> typed = new TreeMap<>();
    if (said != null) {
      said.forEach((name, value) -> typed.put(name, new IntOrString(String.valueOf(value))));
    }
    return typed;
  }

  /** The text of what may have been written as a number. */
  public static String text(IntOrString said) {
    return String.valueOf(said.getValue());
  }

  /** The valid quantities; others are left out. */
  public static Map<String, Quantity> of(Map<String, IntOrString> said) {
    Map<String, Quantity> quantities = new TreeMap<>();
    said.forEach((name, value) -> read(text(value)).ifPresent(it -> quantities.put(name, it)));
    return quantities;
  }
}
