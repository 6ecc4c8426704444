package dev.kvorum.placement;

import dev.kvorum.topology.MemberId;
import java.util.List;

/** Plans of writes during a change of the members that are wrong on purpose. */
public final class BrokenPlans {
  private BrokenPlans() {}

  /** Omits the members after the change. */
  public static ReplicaPlan old(long epoch, List<MemberId> old, List<MemberId> next) {
    return ReplicaPlan.of(epoch, old);
  }

  /** Omits the members before the change. */
  public static ReplicaPlan next(long epoch, List<MemberId> old, List<MemberId> next) {
    return ReplicaPlan.of(epoch, next);
  }
}
