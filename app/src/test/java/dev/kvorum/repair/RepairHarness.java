package dev.kvorum.repair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.rpc.MemoryStore;
import dev.kvorum.seeds.Seeds;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.topology.Founding;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Topology;
import dev.kvorum.virtualtime.VirtualLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** A cluster of members with repair and nothing else, in virtual time. */
public final class RepairHarness {
  public static final Duration AGE_MIN = Duration.ofMinutes(10);
  public static final Duration HORIZON = Duration.ofMinutes(30);
  public static final Duration INTERVAL = Duration.ofMinutes(1);

  public final long seed = Seeds.seed();
  public final Random random = new Random(seed);
  public final VirtualLoop loop = new VirtualLoop();
  public final RepairNetwork network = new RepairNetwork(loop, random);
  public final List<MemberId> members;
  public final SlotMap slots;
  private final Layout layout;
  public final Map<MemberId, RepairMember> sites = new HashMap<>();
  public final Map<MemberId, MemoryStore> stores = new HashMap<>();
  public final Map<MemberId, SetAsideStores> setAside = new HashMap<>();
  public boolean founded;
  public final Founding founding = new Founding(() -> founded, () -> {});
  public RepairSettings settings = settings(1L << 30);
  private final Map<MemberId, Long> skewMillis = new HashMap<>();

  public RepairHarness(int size) {
    members = IntStream.range(0, size).mapToObj(i -> new MemberId("m" + i)).toList();
    layout = layoutOf(members);
    slots = layout.before();
    members.forEach(member -> stores.put(member, new MemoryStore()));
  }

  public static Layout layoutOf(List<MemberId> members) {
    return layoutOf(1, members);
  }

  public static Layout layoutOf(long epoch, List<MemberId> members) {
    return Layout.of(
        Topology.stable(
            "bench",
            epoch,
            members.stream().map(id -> new Member(id, "", MemberState.ACTIVE)).toList()));
  }

  public static RepairSettings settings(long bytesPerSecond) {
    return TestSettings.with(
        bulk(), "rate-max=" + bytesPerSecond, "page-records-max=64", "page-max=16KB");
  }

  /** As on a machine. */
  public static RepairSettings bulk() {
    return TestSettings.of(
        RepairSettings.class,
        "interval=" + INTERVAL,
        "settle=5s",
        "granularity=1s",
        "tombstone-age-min=" + AGE_MIN,
        "horizon=" + HORIZON,
        "timeout=10s",
        "retry-max=10s",
        "rate-max=1GB",
        "latency-max=20ms",
        "page-records-max=1024",
        "page-max=256KB",
        "window=32",
        "copies-max=8",
        "dropped-max=16");
  }

  /** All members, of a cluster that has been there for a while. */
  public RepairHarness start() {
    members.forEach(this::start);
    pass(Duration.ofSeconds(1));
    assertThat(sites.values()).as("seed %d", seed).allMatch(RepairMember::votesOnAll);
    return this;
  }

  public RepairMember start(MemberId member) {
    return start(member, layout);
  }

  /** A member that goes by a layout of its own. */
  public RepairMember start(MemberId member, Layout its) {
    InstantSource wallClock =
        () -> Instant.ofEpochMilli(wallMillis() + skewMillis.getOrDefault(member, 0L));
    RepairMember site = new RepairMember(this, member, its, wallClock);
    sites.put(member, site);
    return site;
  }

  /** Sets a member's clock: wrong by so much from now on. */
  public void setClock(int index, Duration skew) {
    skewMillis.put(members.get(index), skew.toMillis());
  }

  public void kill(MemberId member) {
    site(member).loop.kill();
    network.cutOff(member);
  }

  /** Takes the disk of a member that was killed. */
  public void loseDisk(MemberId member) {
    stores.put(member, new MemoryStore());
  }

  public RepairMember site(MemberId member) {
    return Optional.ofNullable(sites.get(member)).orElseThrow();
  }

  public RepairMember site(int index) {
    return site(members.get(index));
  }

  public MemoryStore store(MemberId member) {
    return Optional.ofNullable(stores.get(member)).orElseThrow();
  }

  public MemoryStore store(int index) {
    return store(members.get(index));
  }

  public void pass(Duration time) {
    loop.advance(time);
  }

  public long wallMillis() {
    return loop.wallClock(0).millis();
  }

  /** A version this old. */
  public Version version(Duration age) {
    return new Version((wallMillis() - age.toMillis()) << 16, random.nextInt());
  }

  public Versioned live(Duration age, int from) {
    byte[] value = new byte[100];
    random.nextBytes(value);
    return Versioned.live(version(age), Versioned.NEVER, from, value);
  }

  public Versioned tombstone(Duration age, int from) {
    return Versioned.tombstone(version(age), from);
  }

  public List<MemberId> replicas(Key key, int from) {
    return slots.preferenceList(key).replicas(from);
  }

  /** Stores a record with all who have to keep it but some. */
  public void putExcept(Key key, Versioned record, Set<MemberId> missing) {
    for (MemberId member : replicas(key, record.from())) {
      if (!missing.contains(member)) {
        store(member).put(key, record);
      }
    }
  }

  public void put(Key key, Versioned record) {
    putExcept(key, record, Set.of());
  }

  /** A key whose preference list begins so. */
  public Key keyOf(MemberId... first) {
    return IntStream.range(0, 100_000)
        .mapToObj(i -> Key.of("key " + i))
        .filter(key -> replicas(key, first.length).equals(List.of(first)))
        .findFirst()
        .orElseThrow();
  }

  public Set<Key> keys() {
    Set<Key> keys = new TreeSet<>();
    stores.values().forEach(store -> keys.addAll(store.keys()));
    return keys;
  }

  /**
   * What is wrong: a newest record that one who has to keep it lacks, or an older one left over.
   */
  public List<String> differences() {
    List<String> wrong = new ArrayList<>();
    for (Key key : keys()) {
      Versioned newest =
          members.stream()
              .flatMap(member -> store(member).get(key).stream())
              .max(Comparator.comparing(Versioned::version))
              .orElseThrow();
      PreferenceList list = slots.preferenceList(key);
      for (MemberId member : members) {
        Optional<Versioned> held = store(member).get(key);
        boolean keeps = list.replicas(newest.from()).contains(member);
        boolean equal = held.map(record -> record.version().equals(newest.version())).orElse(false);
        boolean lacksDead = held.isEmpty() && newest.tombstone();
        boolean old = held.isPresent() && !held.get().tombstone() && !equal;
        if (old || (keeps && !equal && !lacksDead)) {
          wrong.add(key + " on " + member + " of " + list + ": " + held + ", not " + newest);
        }
      }
    }
    return wrong;
  }

  public void assertEqual() {
    assertThat(differences()).as("seed %d", seed).isEmpty();
  }
}
