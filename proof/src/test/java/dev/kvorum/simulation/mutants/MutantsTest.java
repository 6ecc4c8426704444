package dev.kvorum.simulation.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Mutants of requests, stores, clocks and processes. */
class MutantsTest extends RecordedMutants {
  static List<Defect> mutants() {
    return Hunts.mutantsOfRequests();
  }

  @Test
  void everyRecordedSeedHasAMutant() {
    assertThat(CatchingSeeds.read().unknown(Hunts.mutants())).isEmpty();
  }
}
