package dev.kvorum.repair;

import dev.kvorum.background.Ground;
import dev.kvorum.placement.PreferenceList;
import dev.kvorum.placement.SlotMap;
import dev.kvorum.placement.Slots;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.topology.MemberId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What people want to know of repair.
 *
 * @param rebuilding whether slots are missing
 * @param slotsBack slots in which this member has a say
 * @param lost what corrupted stores held and could be had from nowhere
 * @param peers where it stands with each other member
 * @param slotsNeverCompared slots of this member that lack a comparison with one of their replicas
 * @param oldestComparison of the slots that have been compared with all of their replicas
 */
public record RepairReport(
    boolean rebuilding,
    int slotsBack,
    LostKeys lost,
    List<PeerReport> peers,
    int slotsNeverCompared,
    Optional<Instant> oldestComparison) {
  /**
   * Where this member stands with another one.
   *
   * @param pulled up to when this member has all that the other one had
   * @param pulledBy up to when the other one has all that this member had
   * @param pull how far a pull has come that is under way
   */
  public record PeerReport(
      MemberId peer, Optional<Instant> pulled, Optional<Instant> pulledBy, Optional<String> pull) {}

  static RepairReport of(
      Ground ground,
      RepairSettings settings,
      RepairMarks marks,
      Wholeness wholeness,
      @Nullable Pull current) {
    List<PeerReport> peers =
        ground.peers().get().stream().map(peer -> of(marks, current, peer)).toList();
    int never = 0;
    long oldest = Long.MAX_VALUE;
    SlotMap slots = ground.layouts().get().before();
    for (int slot = 0; slot < Slots.COUNT; slot++) {
      PreferenceList list = slots.preferenceList(slot);
      if (SharedSlots.rank(list, ground.self()) < settings.replication()) {
        long compared = oldestOf(list.replicas(settings.replication()), ground.self(), marks);
        never += compared == 0 ? 1 : 0;
        oldest = compared == 0 ? oldest : Math.min(oldest, compared);
      }
    }
    return new RepairReport(
        !wholeness.hasAll(),
        wholeness.slotsBack(),
        wholeness.lost(),
        peers,
        never,
        oldest == Long.MAX_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(oldest)));
  }

  private static PeerReport of(RepairMarks marks, @Nullable Pull current, MemberId peer) {
    Optional<String> state =
        current != null && current.peer().equals(peer)
            ? Optional.of(word(current.state()))
            : Optional.empty();
    return new PeerReport(
        peer, instant(pulledMillis(marks, peer)), instant(marks.pulledBy(peer) >>> 16), state);
  }

  private static String word(Pull.State state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What a rebuild left behind is no comparison. */
  private static long pulledMillis(RepairMarks marks, MemberId peer) {
    long millis = marks.pulled(peer) >>> 16;
    return millis >= marks.wholeSince() ? millis : 0;
  }

  private static Optional<Instant> instant(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  private static long oldestOf(List<MemberId> replicas, MemberId self, RepairMarks marks) {
    return replicas.stream()
        .filter(replica -> !replica.equals(self))
        .mapToLong(replica -> pulledMillis(marks, replica))
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
