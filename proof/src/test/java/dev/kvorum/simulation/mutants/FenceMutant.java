package dev.kvorum.simulation.mutants;

import dev.kvorum.rpc.WireDoor;
import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules of ADR 0017, one process of each member, broken one by one. */
enum FenceMutant implements Defect {
  COMPARES_PROCESSES_ON_INCOMING_CONNECTIONS_ONLY(compares("enterIncoming")),
  COMPARES_PROCESSES_ON_OUTGOING_CONNECTIONS_ONLY(compares("enterOutgoing")),
  CLOSES_AN_OLDER_PROCESS_ON_ONE_LOOP_ONLY(
      Patch.redirects(
          "rpc.ProcessRegistry", "enter", "fence", BrokenRules.class, "fenceOnOneLoop")),
  A_FENCED_PROCESS_CONTINUES_TO_SERVE(Patch.returns("rpc.Fence", "isRaised", false));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  FenceMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  private static Patch compares(String name) {
    return Patch.redirects("rpc.HandshakePolicy", "enter", "enter", WireDoor.class, name);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.duplicates();
  }
}
