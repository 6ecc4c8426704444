package dev.kvorum.backup.restore;

import dev.kvorum.topology.MemberId;
import java.util.List;

/**
 * Decides which owners get the restored records of a source. All of them do, unless the node that
 * restores the source has its name, owns the record itself, and all members made their part: then
 * this node alone stores it, since other nodes do the same with the copies of their sources.
 *
 * <p>Of a write that a majority of its replicas had acknowledged, a majority of its owners has a
 * copy afterwards: either all copies were on nodes that are owners still and keep their own, no
 * fewer than before; or one of them was not, and all owners get it. Where a part is missing this
 * would not hold, since a copy may be missing with it.
 */
final class Destinations {
  private final MemberId self;
  private final String source;
  private final boolean areAllPartsThere;

  /**
   * The destinations of a source's records.
   *
   * @param self the node that restores it
   * @param source the member whose part it is
   * @param areAllPartsThere whether all members of the old cluster made their part
   */
  Destinations(MemberId self, String source, boolean areAllPartsThere) {
    this.self = self;
    this.source = source;
    this.areAllPartsThere = areAllPartsThere;
  }

  /** Those of a record's owners that get it. */
  List<MemberId> of(List<MemberId> owners) {
    return areOthersThere() && isOwn() && owners.contains(self) ? List.of(self) : owners;
  }

  private boolean areOthersThere() {
    return areAllPartsThere;
  }

  private boolean isOwn() {
    return self.name().equals(source);
  }
}
