package dev.kvorum.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kvorum.data.Key;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlotMapTest {
  /** A cluster whose placement changes under its data has lost that data: never adapt a digest. */
  @ParameterizedTest
  @CsvSource({
    "1, 0, 3f5c074d463e3763a3e23b718466f87ccbb26aa025dcd01c3a3035c477c21261",
    "3, 0, 80f0b740443df17cc4a7e3de215b1e32550979aaaf338cf2aa073e85f9a0f522",
    "5, 3, babeecd4da0d08fb94d55eca6d50916e69a7c5a798cfc29b9cfe85ebbff8c503",
    "12, 3, d770f8725885ee09f0d6ba316aa0e865b51a4c71e0d00bf4a9f2eb37e2a1dc3f"
  })
  void placementNeverChanges(int members, int zones, String sha256) throws Exception {
    SlotMap map = SlotMap.of(Clusters.numbered(members, zones));

    assertThat(digest(map)).isEqualTo(sha256);
  }

  @Test
  void keyIsRoutedByItsSlot() {
    SlotMap map = SlotMap.of(Clusters.numbered(3, 0));
    Key key = Key.of("user:42");

    assertThat(map.preferenceList(key)).isSameAs(map.preferenceList(Slots.of(key)));
  }

  @Test
  void dependsOnNeitherOrderNorStatesOfMembers() {
    List<Member> members = Clusters.numbered(13, 3);
    SlotMap map = SlotMap.of(members);
    List<Member> shuffled =
        members.stream()
            .map(member -> new Member(member.id(), member.zone(), MemberState.LEAVING))
            .collect(Collectors.toList());
    Collections.shuffle(shuffled, new Random(1));
    SlotMap same = SlotMap.of(shuffled);

    for (int slot = 0; slot < Slots.COUNT; slot++) {
      assertThat(same.preferenceList(slot)).isEqualTo(map.preferenceList(slot));
    }
  }

  @Test
  void namesOfZonesDoNotMatterOnlyWhoSharesThem() {
    SlotMap map = SlotMap.of(List.of(Clusters.member("m-0", "eu"), Clusters.member("m-1", "us")));
    SlotMap same = SlotMap.of(List.of(Clusters.member("m-0", "zz"), Clusters.member("m-1", "aa")));

    assertThat(digest(same)).isEqualTo(digest(map));
  }

  @Test
  void twoMembersShareTenThousandKeys() {
    SlotMap map = SlotMap.of(Clusters.numbered(2, 0));
    MemberId first = new MemberId("kvorum-0");
    for (String pattern : List.of("key-%d", "key%d", "user:%d", "%d", "key-%05d")) {
      int held = 0;
      for (int i = 0; i < 10_000; i++) {
        Key key = Key.of(pattern.formatted(i));
        held += map.preferenceList(key).get(0).equals(first) ? 1 : 0;
      }
      assertThat(held).as(pattern).isBetween(4900, 5100);
    }
  }

  @Test
  void everyListIsPermutationOfAllMembersAlsoWithUnevenZones() {
    long seed = 20_250_917L;
    Random random = new Random(seed);
    for (int round = 0; round < 12; round++) {
      int members = 1 + random.nextInt(40);
      int zones = 1 + random.nextInt(6);
      List<Member> uneven = new ArrayList<>();
      for (Member member : Clusters.random(members, 0, random)) {
        int zone = random.nextInt(1 + random.nextInt(zones));
        uneven.add(Clusters.member(member.id().name(), "zone-" + zone));
      }
      SlotMap map = SlotMap.of(uneven);
      Set<MemberId> all = uneven.stream().map(Member::id).collect(Collectors.toSet());
      for (int slot = 0; slot < Slots.COUNT; slot++) {
        List<MemberId> list = map.preferenceList(slot).replicas(members);
        assertThat(list).as("seed %d", seed).hasSize(members);
        assertThat(new HashSet<>(list)).as("seed %d", seed).isEqualTo(all);
      }
      assertZonesAlternate(map, uneven, "seed " + seed + " round " + round);
    }
  }

  @Test
  void holdsTheLargestCluster() {
    SlotMap map = SlotMap.of(Clusters.numbered(100, 3));

    assertThat(map.preferenceList(4095).size()).isEqualTo(100);
  }

  @Test
  void rejectsNoMembersAndTwins() {
    Member member = Clusters.member("m", "");
    assertThatIllegalArgumentException().isThrownBy(() -> SlotMap.of(List.of()));
    assertThatIllegalArgumentException().isThrownBy(() -> SlotMap.of(List.of(member, member)));
  }

  /** No zone has a turn while another one with members left has had fewer. */
  private static void assertZonesAlternate(SlotMap map, List<Member> members, String context) {
    var zoneOf = members.stream().collect(Collectors.toMap(Member::id, Member::zone));
    var sizes =
        members.stream().collect(Collectors.groupingBy(Member::zone, Collectors.counting()));
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      var turns = new HashMap<String, Integer>();
      for (MemberId member : map.preferenceList(slot).replicas(members.size())) {
        String zone = zoneOf.get(member);
        int before = turns.getOrDefault(zone, 0);
        boolean someoneWaits =
            sizes.entrySet().stream()
                .anyMatch(other ->
                    turns.getOrDefault(other.getKey(), 0) < Math.min(before, other.getValue()));
        assertThat(someoneWaits).as("%s slot %d", context, slot).isFalse();
        turns.put(zone, before + 1);
      }
    }
  }

  private static String digest(SlotMap map) {
    StringBuilder all = new StringBuilder();
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      PreferenceList list = map.preferenceList(slot);
      for (MemberId member : list.replicas(list.size())) {
        all.append(member.name()).append(' ');
      }
      all.append('\n');
    }
    try {
      byte[] bytes = all.toString().getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
