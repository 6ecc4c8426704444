package dev.kvorum.backup.restore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DestinationsTest {
  private static List<MemberId> ids(String... names) {
    return Stream.of(names).map(MemberId::new).toList();
  }

  private static SlotMap slots(List<String> names) {
    return SlotMap.of(
        names.stream()
            .map(name -> new Member(new MemberId(name), "zone of " + name, MemberState.ACTIVE))
            .toList());
  }

  private static List<MemberId> owners(SlotMap slots, int slot, int count) {
    return IntStream.range(0, count).mapToObj(slots.preferenceList(slot)::get).toList();
  }

  private static List<String> someOf(Random random) {
    List<String> names = new ArrayList<>(List.of("a", "b", "c", "d", "e", "f"));
    Collections.shuffle(names, random);
    return names.subList(0, 1 + random.nextInt(5));
  }

  @Test
  void anOwnerKeepsWhatItHadAlone() {
    Destinations own = new Destinations(new MemberId("a"), "a", true);
    assertThat(own.of(ids("b", "a", "c"))).isEqualTo(ids("a"));
    assertThat(own.of(ids("b", "c"))).as("not an owner any more").isEqualTo(ids("b", "c"));
  }

  /** From and into clusters with names in common, with any part missing that may be. */
  @Test
  void aMajorityOfOwnersGetsWhatAMajorityHad() {
    Random random = Seeds.random();
    for (int cluster = 0; cluster < 50; cluster++) {
      List<String> sources = someOf(random);
      List<String> nodes = someOf(random);
      SlotMap before = slots(sources);
      SlotMap after = slots(nodes);
      for (int i = 0; i < 50; i++) {
        int from = 1 + random.nextInt(sources.size());
        int slot = random.nextInt(Slots.COUNT);
        List<MemberId> replicas = new ArrayList<>(owners(before, slot, from));
        Collections.shuffle(replicas, random);
        List<MemberId> had = replicas.subList(0, from / 2 + 1);
        boolean isPartMissing = had.size() > 1 && random.nextBoolean();
        List<MemberId> parts = had.subList(isPartMissing ? 1 : 0, had.size());

        List<MemberId> owners = owners(after, slot, Math.min(from, nodes.size()));
        Set<MemberId> stored = new HashSet<>();
        for (MemberId source : parts) {
          // As the command assigns them: to the node of this name, or else to any.
          String node =
              nodes.contains(source.name())
                  ? source.name()
                  : nodes.get(random.nextInt(nodes.size()));
          stored.addAll(
              new Destinations(new MemberId(node), source.name(), !isPartMissing).of(owners));
        }
        stored.retainAll(owners);
        assertThat(2 * stored.size())
            .as("%s into %s: %s had it, %s stored it", sources, nodes, had, stored)
            .isGreaterThan(owners.size());
      }
    }
  }
}
