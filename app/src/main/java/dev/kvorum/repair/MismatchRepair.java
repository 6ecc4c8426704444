package dev.kvorum.repair;

import dev.kvorum.background.Adoption;
import dev.kvorum.background.Ground;
import dev.kvorum.background.Patience;
import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Refusal;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.Lookup;
import dev.kvorum.storage.Store.Detail;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches records of this member's store that do not match their checksums from its peers. What no
 * peer has is lost, and looked for again from time to time. Lives on one event loop, but for what
 * it is told.
 */
final class MismatchRepair {
  private static final Logger log = LoggerFactory.getLogger(MismatchRepair.class);
  private static final int UNDER_WAY_MAX = 1000;
  private static final long PAUSE_MIN_MILLIS = 500;
  private static final long PAUSE_MAX_MILLIS = 30_000;

  private final Ground ground;
  private final Duration timeout;
  private final Adoption adoption;
  private final ChecksumVerifier verifier;
  private final Set<Key> underWay = ConcurrentHashMap.newKeySet();

  /** Repairs what this member's store finds, from now on. */
  static void begin(Ground ground, Duration timeout, Adoption adoption) {
    MismatchRepair repair = new MismatchRepair(ground, timeout, adoption);
    repair.verifier.whenStoreMismatches(repair::found);
  }

  private MismatchRepair(Ground ground, Duration timeout, Adoption adoption) {
    this.ground = ground;
    this.timeout = timeout;
    this.adoption = adoption;
    this.verifier = ground.replicas().verifier();
  }

  /** Repairs a record, on any thread; one of too many is found again later. */
  private void found(Key key) {
    if (underWay.size() < UNDER_WAY_MAX && underWay.add(key)) {
      ground.loop().execute(() -> new Attempt(key, PAUSE_MIN_MILLIS).begin());
    }
  }

  private final class Attempt {
    private final Key key;
    private final long pauseMillis;
    private int missing;
    private boolean isUnheard;
    private @Nullable Versioned newest;
    private @Nullable Patience patience;

    Attempt(Key key, long pauseMillis) {
      this.key = key;
      this.pauseMillis = pauseMillis;
    }

    void begin() {
      ground.store().read(key, Detail.RECORD, ground.loop(), this::onRecord);
    }

    private void onRecord(Lookup lookup) {
      switch (lookup) {
        case Lookup.Found _, Lookup.Absent _ -> {
          verifier.lost(key, false);
          underWay.remove(key);
        }
        case Lookup.FoundVersion _ -> again();
        case Lookup.Unknown(Refusal reason) when isMismatch(reason) ->
            ground.store().read(key, Detail.VERSION, ground.loop(), this::onVersion);
        case Lookup.Unknown _ -> again();
      }
    }

    private void onVersion(Lookup lookup) {
      List<MemberId> peers = ground.peers().get();
      if (lookup instanceof Lookup.FoundVersion(Version version)) {
        missing = peers.size();
        if (missing == 0) {
          end(version);
        }
        for (MemberId peer : peers) {
          Patience.ask(
              ground,
              peer,
              new ReplicaRequest.Read(key, Detail.RECORD),
              timeout,
              (reply, its) -> on(version, reply, its));
        }
      } else {
        again();
      }
    }

    private void on(Version version, ReplicaReply reply, Patience its) {
      if (reply instanceof ReplicaReply.Looked(Lookup.Found(Versioned record))) {
        // One that others keep for fewer copies would not be taken here, whatever its version.
        boolean keeps = ground.layouts().get().keeps(ground.self(), key, record.from());
        if (keeps && (newest == null || record.version().isNewerThan(newest.version()))) {
          newest = record;
          patience = its;
        }
      } else if (!isWithoutRecord(reply)) {
        isUnheard = true;
      }
      missing--;
      if (missing == 0) {
        end(version);
      }
    }

    /** One that is rebuilt may wait for this very record, and counts as if it had nothing. */
    private static boolean isWithoutRecord(ReplicaReply reply) {
      return reply instanceof ReplicaReply.Looked(Lookup lookup)
          && switch (lookup) {
            case Lookup.Absent _ -> true;
            case Lookup.Unknown(Refusal reason) ->
                isMismatch(reason) || reason == Refusal.REBUILDING;
            case Lookup.Found _, Lookup.FoundVersion _ -> false;
          };
    }

    private static boolean isMismatch(Refusal reason) {
      return reason == Refusal.CHECKSUM_MISMATCH || reason == Refusal.DATA_LOST;
    }

    /** An older copy must not take its place: this one may have been acknowledged. */
    private void end(Version version) {
      Versioned record = newest;
      Patience its = patience;
      if (record != null && its != null && !version.isNewerThan(record.version())) {
        adoption.adopt(new Mutation(key, record), its, adopted -> again());
        return;
      }
      if (!isUnheard && !verifier.areLost(List.of(key))) {
        log.error(
            "Record {} of key {} does not match its checksum here, and no other replica has it or"
                + " a newer one for this member: it is lost until it is written or deleted",
            version,
            key.encoded());
        verifier.lost(key, true);
      }
      again();
    }

    /** Looks once more whether the record matches by now. */
    private void again() {
      long next = Math.min(PAUSE_MAX_MILLIS, 2 * pauseMillis);
      ground
          .loop()
          .schedule(() -> new Attempt(key, next).begin(), pauseMillis, TimeUnit.MILLISECONDS);
    }
  }
}
