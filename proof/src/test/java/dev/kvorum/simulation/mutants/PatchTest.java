package dev.kvorum.simulation.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kvorum.data.KeyRange;
import dev.kvorum.placement.Slots;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatchTest {
  private static Object call(Patch patch, String type, String method) throws Exception {
    Class<?> there = new PatchedClasses(List.of(patch)).loadClass(type);
    Method found = there.getDeclaredMethod(method);
    return found.invoke(found.getDeclaringClass().getField("ALL").get(null));
  }

  @Test
  void onlyTheChildLoadersClassChanges() throws Exception {
    Patch patch = Patch.returns("data.KeyRange", "hashCode", 17);
    assertThat(call(patch, KeyRange.class.getName(), "hashCode")).isEqualTo(17);
    assertThat(KeyRange.ALL.hashCode()).isNotEqualTo(17);
  }

  @Test
  void whatIsNotThereFails() {
    assertFails(Patch.skips("placement.NoSuchClass", "of"), "no class");
    assertFails(Patch.skips("placement.Slots", "noSuchMethod"), "nothing to change");
    assertFails(Patch.answers("placement.Slots", "of", "noSuchCall", 1), "nothing to change");
    assertFails(Patch.returns("placement.Slots", "of", 1L), "is no");
    assertFails(
        Patch.redirects("placement.Slots", "of", "bytes", BrokenRules.class, "none"), "no method");
    assertThat(Slots.COUNT).isPositive();
  }

  private static void assertFails(Patch patch, String why) {
    assertThatThrownBy(() -> new PatchedClasses(List.of(patch)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(why);
  }
}
