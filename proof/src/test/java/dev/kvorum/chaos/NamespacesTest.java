package dev.kvorum.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kvorum.blackbox.Place;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cuts between namespaces, where this machine lets us make some. */
class NamespacesTest {
  @Test
  void aWayThatIsCutTwiceIsHealedOnce() {
    String obstacle = Namespaces.obstacle();
    assumeTrue(obstacle.isEmpty(), obstacle);
    try (Namespaces network = new Namespaces(2)) {
      Place receiver = network.places().getLast();
      int before = rules(receiver).length;
      network.cut(0, 1);
      network.cut(0, 1);
      assertThat(rules(receiver)).hasSize(before + 1);
      network.heal();
      assertThat(rules(receiver)).hasSize(before);
    }
  }

  private static String[] rules(Place place) {
    List<String> command = new ArrayList<>(place.runner());
    command.addAll(List.of("ip", "rule"));
    return Shell.run(command.toArray(String[]::new)).split("\n", -1);
  }
}
