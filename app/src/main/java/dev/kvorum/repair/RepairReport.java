package dev.kvorum.repair;

import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.Version;
import dev.kvorum.repair.antientropy.RepairSession;
import dev.kvorum.repair.rebuild.VotingState;
import dev.kvorum.repair.state.RepairMarks;
import dev.kvorum.storage.LostKeys;
import dev.kvorum.topology.MemberId;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of repair, for users.
 *
 * @param rebuilding whether slots are missing
 * @param blank whether this member's store has never held anything
 * @param slotsBack slots in which this member votes
 * @param lost what corrupted stores held and could be had from nowhere
 * @param peers repair between this member and each peer
 * @param slotsNeverCompared slots of this member that lack a comparison with one of their replicas
 * @param oldestComparison of the slots that have been compared with all of their replicas
 */
public record RepairReport(
    boolean rebuilding,
    boolean blank,
    int slotsBack,
    LostKeys lost,
    List<PeerReport> peers,
    int slotsNeverCompared,
    Optional<Instant> oldestComparison) {
  /**
   * Repair between this member and one peer.
   *
   * @param pulled this member has all records that the peer had then
   * @param pulledBy the peer has all records that this member had then
   * @param pull state of the current session with the peer
   */
  public record PeerReport(
      MemberId peer, Optional<Instant> pulled, Optional<Instant> pulledBy, Optional<String> pull) {}

  /** When this member last had all records that a peer had, if ever. */
  public Optional<Instant> pulledFrom(MemberId peer) {
    return peers.stream()
        .filter(one -> one.peer().equals(peer))
        .findFirst()
        .flatMap(PeerReport::pulled);
  }

  static RepairReport of(
      BackgroundContext context,
      RepairMarks marks,
      VotingState votingState,
      @Nullable RepairSession current) {
    List<PeerReport> peers =
        context.peers().get().stream().map(peer -> of(marks, current, peer)).toList();
    int never = 0;
    long oldest = Long.MAX_VALUE;
    long[] comparedBySlot =
        context
            .layouts()
            .get()
            .before()
            .bySlot(list -> oldestOf(list.replicas(context.replication()), context.self(), marks));
    for (long compared : comparedBySlot) {
      never += compared == 0 ? 1 : 0;
      oldest = compared == 0 ? oldest : Math.min(oldest, compared);
    }
    return new RepairReport(
        !votingState.hasAll(),
        !votingState.hasAll() && marks.isBlank(),
        votingState.slotsBack(),
        votingState.lost(),
        peers,
        never,
        oldest == Long.MAX_VALUE ? Optional.empty() : Optional.of(Instant.ofEpochMilli(oldest)));
  }

  private static PeerReport of(RepairMarks marks, @Nullable RepairSession current, MemberId peer) {
    Optional<String> state =
        current != null && current.peer().equals(peer)
            ? Optional.of(label(current.state()))
            : Optional.empty();
    return new PeerReport(
        peer,
        instant(pulledMillis(marks, peer)),
        instant(Version.millisOf(marks.pulledBy(peer))),
        state);
  }

  private static String label(RepairSession.State state) {
    return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Marks that a rebuild left are no comparison. */
  private static long pulledMillis(RepairMarks marks, MemberId peer) {
    long millis = Version.millisOf(marks.pulled(peer));
    return millis >= marks.completeSince() ? millis : 0;
  }

  private static Optional<Instant> instant(long millis) {
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /** 0 if never compared with one of them; the maximum if there is no other replica. */
  private static long oldestOf(List<MemberId> replicas, MemberId self, RepairMarks marks) {
    if (!replicas.contains(self)) {
      return Long.MAX_VALUE;
    }
    return replicas.stream()
        .filter(replica -> !replica.equals(self))
        .mapToLong(replica -> pulledMillis(marks, replica))
        .min()
        .orElse(Long.MAX_VALUE);
  }
}
