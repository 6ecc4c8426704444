package dev.kvorum.repair.antientropy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MerkleTreesTest {
  private static final int CLASSES = 8;
  private static final List<MemberId> MEMBERS =
      IntStream.range(0, 5).mapToObj(i -> new MemberId("m" + i)).toList();
  private static final SlotMap SLOTS =
      SlotMap.of(MEMBERS.stream().map(id -> new Member(id, "", MemberState.ACTIVE)).toList());

  private final long seed = Seeds.seed();
  private final Random random = new Random(seed);
  private final long cut = random.nextLong() & Long.MAX_VALUE;

  private record Entry(Key key, Version version, int from) {}

  private Entry randomEntry() {
    int key = random.nextInt(300);
    Version version = new Version(1 + random.nextInt(3), random.nextInt(2));
    // A version has one number of copies, wherever it is.
    int from = 1 + (int) ((key + version.stamp() + version.writer()) % 6);
    return new Entry(Key.of("key " + key), version, from);
  }

  private Set<Entry> randomSet() {
    Set<Entry> set = new HashSet<>();
    IntStream.range(0, random.nextInt(60)).forEach(i -> set.add(randomEntry()));
    return set;
  }

  private MerkleTrees trees(Set<Entry> entries, int classes) {
    List<Entry> order = new ArrayList<>(entries);
    Collections.shuffle(order, random);
    MerkleTrees trees = new MerkleTrees(cut, classes, 0);
    order.forEach(
        entry -> trees.add(entry.key(), Versioned.tombstone(entry.version(), entry.from())));
    return trees;
  }

  /** What both members have to keep, as keys with versions. */
  private static Set<String> shared(Set<Entry> entries, MemberId one, MemberId other) {
    return entries.stream()
        .filter(entry ->
            SLOTS
                .preferenceList(entry.key())
                .replicas(entry.from())
                .containsAll(List.of(one, other)))
        .map(entry -> entry.key() + " " + entry.version())
        .collect(Collectors.toSet());
  }

  private static int[] all(int parts) {
    return IntStream.range(0, parts).toArray();
  }

  @Test
  void digestsAreEqualExactlyWhenWhatBothKeepIs() {
    int equal = 0;
    for (int round = 0; round < 300; round++) {
      Set<Entry> mine = randomSet();
      Set<Entry> theirs = new HashSet<>(mine);
      if (random.nextInt(3) > 0) {
        theirs.add(randomEntry());
      }
      int first = random.nextInt(5);
      MemberId one = MEMBERS.get(first);
      MemberId other = MEMBERS.get((first + 1 + random.nextInt(4)) % 5);
      SharedSlots slots = new SharedSlots(SLOTS, one, other);
      int[] my = trees(mine, CLASSES).digests(0, new int[] {0}, slots);
      int[] their = trees(theirs, CLASSES).digests(0, new int[] {0}, slots);
      boolean same = shared(mine, one, other).equals(shared(theirs, one, other));
      equal += same ? 1 : 0;
      assertThat(Arrays.equals(my, their)).as("seed %d", seed).isEqualTo(same);
    }
    assertThat(equal).isBetween(1, 299);
  }

  @Test
  void everyLevelFindsWhereTheDifferencesAre() {
    for (int round = 0; round < 30; round++) {
      Set<Entry> mine = randomSet();
      Set<Entry> theirs = new HashSet<>(mine);
      Entry more = new Entry(Key.of("more " + round), new Version(5, 5), 5);
      theirs.add(more);
      SharedSlots slots = new SharedSlots(SLOTS, MEMBERS.get(0), MEMBERS.get(1));
      MerkleTrees my = trees(mine, CLASSES);
      MerkleTrees their = trees(theirs, CLASSES);
      int[] parts = {0};
      for (int level = 0; level < 3; level++) {
        parts = differing(my, their, level, parts, slots);
        assertThat(parts).as("seed %d, level %d", seed, level).hasSize(1);
      }
      int leaf = LeafHash.leaf(Slots.of(more.key()), new LeafHash(cut).of(more.key()));
      assertThat(parts).containsExactly(leaf);
      WantedLeaves wanted = new WantedLeaves(cut);
      assertThat(wanted.add(3, parts)).isTrue();
      assertThat(wanted.contains(more.key())).isTrue();
    }
  }

  private static int[] differing(
      MerkleTrees my, MerkleTrees their, int level, int[] parts, SharedSlots slots) {
    int[] mine = my.digests(level, parts, slots);
    int[] theirs = their.digests(level, parts, slots);
    int children = LeafHash.childrenAt(level);
    return IntStream.range(0, mine.length)
        .filter(i -> mine[i] != theirs[i])
        .map(i -> parts[i / children] * children + i % children)
        .toArray();
  }

  @Test
  void aSharedTreeOfManyCopiesComparesMoreButMissesNothing() {
    for (int round = 0; round < 200; round++) {
      Set<Entry> mine = randomSet();
      Set<Entry> theirs = randomSet();
      int first = random.nextInt(5);
      MemberId one = MEMBERS.get(first);
      MemberId other = MEMBERS.get((first + 1 + random.nextInt(4)) % 5);
      SharedSlots slots = new SharedSlots(SLOTS, one, other);
      int[] exact =
          differing(trees(mine, CLASSES), trees(theirs, CLASSES), 0, new int[] {0}, slots);
      int[] coarse = differing(trees(mine, 2), trees(theirs, 2), 0, new int[] {0}, slots);
      assertThat(IntStream.of(exact).boxed())
          .as("seed %d", seed)
          .isSubsetOf(IntStream.of(coarse).boxed().toList());
    }
  }

  @Test
  void recordsOfOneCopyAreNobodyElsesConcern() {
    MerkleTrees trees = new MerkleTrees(cut, CLASSES, 0);
    trees.add(Key.of("own"), Versioned.tombstone(new Version(1, 1), 1));
    SharedSlots slots = new SharedSlots(SLOTS, MEMBERS.get(0), MEMBERS.get(1));
    assertThat(trees.digests(0, new int[] {0}, slots)).containsOnly(0);
    assertThat(trees.records()).isZero();
    trees.add(Key.of("shared"), Versioned.tombstone(new Version(1, 1), 5));
    assertThat(trees.digests(1, all(Slots.COUNT), slots)).contains(0).matches(this::hasAnother);
  }

  private boolean hasAnother(int[] digests) {
    return IntStream.of(digests).anyMatch(digest -> digest != 0);
  }

  @Test
  void wantedPartsOutsideOfTheTreesAreRejected() {
    WantedLeaves wanted = new WantedLeaves(cut);
    assertThat(wanted.add(0, new int[] {0})).isFalse();
    assertThat(wanted.add(4, new int[] {0})).isFalse();
    assertThat(wanted.add(1, new int[] {Slots.COUNT})).isFalse();
    assertThat(wanted.add(3, new int[] {-1})).isFalse();
    assertThat(wanted.add(3, new int[] {LeafHash.LEAVES - 1})).isTrue();
  }

  @Test
  void whatIsReplacedIsAsIfItHadNeverBeen() {
    SharedSlots slots = new SharedSlots(SLOTS, MEMBERS.get(0), MEMBERS.get(1));
    Key key = Key.of("key");
    Versioned old = Versioned.live(new Version(1, 1), Versioned.NEVER, 5, new byte[3]).sealed(key);
    Versioned now = Versioned.tombstone(new Version(2, 1), 4);
    MerkleTrees repaired = new MerkleTrees(cut, CLASSES, 0);
    repaired.add(key, old);
    MerkleTrees fresh = new MerkleTrees(cut, CLASSES, 0);
    fresh.add(key, now);
    int[] root = {0};
    assertThat(repaired.digests(0, root, slots)).isNotEqualTo(fresh.digests(0, root, slots));
    repaired.takeOut(key, old);
    repaired.add(key, now);
    assertThat(repaired.digests(0, root, slots)).isEqualTo(fresh.digests(0, root, slots));
    assertThat(repaired.records()).isEqualTo(1);
  }

  @Test
  void twoValuesOfOneVersionDifferUntilTheyExpire() {
    Key key = Key.of("key");
    Version version = new Version(900L << 16, 1);
    Versioned one = Versioned.live(version, 1000, 3, new byte[] {1}).sealed(key);
    Versioned other = Versioned.live(version, 1000, 3, new byte[] {2}).sealed(key);
    Versioned tombstone = Versioned.tombstone(version, 3).sealed(key);
    assertThat(root(999, key, one)).isNotEqualTo(root(999, key, other));
    assertThat(root(999, key, one)).isNotEqualTo(root(999, key, tombstone));
    assertThat(root(1000, key, one))
        .isEqualTo(root(1000, key, other))
        .isEqualTo(root(1000, key, tombstone));
  }

  private static int[] root(long cutMillis, Key key, Versioned record) {
    MerkleTrees trees = new MerkleTrees(cutMillis << 16, CLASSES, 0);
    trees.add(key, record);
    return trees.digests(0, new int[] {0}, new SharedSlots(SLOTS, MEMBERS.get(0), MEMBERS.get(1)));
  }

  @Test
  void newerThanTheCutAndLongDeadAreLeftOut() {
    long cutMillis = 1000;
    long at = cutMillis << 16;
    MerkleTrees trees = new MerkleTrees(at, CLASSES, at - (500L << 16));
    trees.add(Key.of("newer"), Versioned.tombstone(new Version(at + 1, 1), 3));
    trees.add(Key.of("long dead"), Versioned.tombstone(new Version(400L << 16, 1), 3));
    trees.add(Key.of("expired"), Versioned.live(new Version(400L << 16, 1), 999, 3, new byte[0]));
    assertThat(trees.records()).isZero();
    trees.add(Key.of("dead"), Versioned.tombstone(new Version(600L << 16, 1), 3));
    trees.add(
        Key.of("old"),
        Versioned.live(new Version(1, 1), 1001, 3, new byte[0]).sealed(Key.of("old")));
    trees.add(Key.of("at the cut"), Versioned.tombstone(new Version(at, 1), 3));
    assertThat(trees.records()).isEqualTo(3);
  }
}
