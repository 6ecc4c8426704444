package dev.kvorum.simulation.mutants;

import dev.kvorum.simulation.run.Profile;
import java.util.List;

/** Rules of ADR 0018 for records that do not match their checksums, broken one by one. */
enum ChecksumMutant implements Defect {
  STORES_WITHOUT_VERIFYING(Patch.answers("replica.LocalReplica", "serve", "matches", true)),
  TRUSTS_WHAT_PEERS_SEND(Patch.returns("replica.Replicas$Asked", "isIntact", true)),
  COMPARES_WITHOUT_CHECKSUMS(
      Patch.answers("repair.antientropy.MerkleTrees", "change", "checksum", 0)),
  READS_WITHOUT_VERIFYING(Patch.answers("storage.engine.RecordCodec", "decode", "isIntact", true));

  @SuppressWarnings("ImmutableEnumChecker") // a list that is never changed
  private final List<Patch> patches;

  ChecksumMutant(Patch... patches) {
    this.patches = List.of(patches);
  }

  @Override
  public List<Patch> patches() {
    return patches;
  }

  @Override
  public boolean canShowIn(Profile profile) {
    return profile.flips();
  }
}
