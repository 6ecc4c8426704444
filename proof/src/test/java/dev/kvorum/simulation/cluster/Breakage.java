package dev.kvorum.simulation.cluster;

import dev.kvorum.config.CoreSettings;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Store;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.MemberId;
import java.time.InstantSource;

/** A cluster that is broken on purpose at one of its seams; by default at none. */
public interface Breakage {
  /** A cluster as it should be. */
  Breakage NONE = new Breakage() {};

  default Store store(Store store, InstantSource clock) {
    return store;
  }

  default HintStore hints(HintStore hints, CurrentTopology topology) {
    return hints;
  }

  default MarkStore marks(MarkStore marks, InstantSource clock) {
    return marks;
  }

  default SetAsideStores setAside(SetAsideStores stores) {
    return stores;
  }

  default Transport transport(MemberId self, Transport transport) {
    return transport;
  }

  default CoreSettings settings(CoreSettings settings) {
    return settings;
  }

  default ChecksumVerifier verifier() {
    return new ChecksumVerifier();
  }

  default boolean ignoresEpochs() {
    return false;
  }
}
