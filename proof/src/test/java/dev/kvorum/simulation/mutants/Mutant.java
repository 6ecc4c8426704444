package dev.kvorum.simulation.mutants;

import dev.kvorum.config.CoreSettings;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.Version;
import dev.kvorum.repair.state.RepairSettings;
import dev.kvorum.replica.Transport;
import dev.kvorum.settings.TestSettings;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.storage.HintStore;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.SetAsideStores;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.topology.CurrentTopology;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;

/** Components of a node, broken at their interfaces. */
enum Mutant implements Defect {
  ANSWERS_BEFORE_IT_IS_DURABLE {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.answersBeforeItIsDurable(store);
    }
  },
  HIDES_THAT_IT_SUPERSEDED {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.hidesThatItSuperseded(store);
    }
  },
  DOES_NOT_COMPARE_VERSIONS {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.doesNotCompareVersions(store);
    }
  },
  DROPS_TOMBSTONES_AT_ONCE {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.dropsTombstonesAtOnce(store);
    }
  },
  TAKES_UNKNOWN_FOR_ABSENT {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.takesUnknownForAbsent(store);
    }

    @Override
    public boolean canShowIn(Profile profile) {
      return profile.trouble() == Profile.Trouble.ROUGH && profile.members() == 3;
    }
  },
  HIDES_EXPIRED_RECORDS {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.hidesExpiredRecords(store, clock);
    }
  },
  EXTENDS_TTLS {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.extendsTtls(store, clock);
    }
  },
  SKIPS_IN_SCANS {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.skipsInScans(store);
    }
  },
  DROPS_RECORDS_SOMETIMES {
    @Override
    public Store store(Store store, InstantSource clock) {
      return BrokenStores.dropsSometimes(store);
    }
  },
  DROPS_HINTS {
    @Override
    public HintStore hints(HintStore hints, CurrentTopology topology) {
      return new WrappedHints(hints) {
        @Override
        public boolean keep(MemberId target, Mutation mutation) {
          return true;
        }
      };
    }

    @Override
    public boolean canShowIn(Profile profile) {
      // Elsewhere anti-entropy repairs what hints should have.
      return profile.trouble() == Profile.Trouble.GENTLE;
    }
  },
  HINTS_FOR_THE_WRONG_MEMBER {
    @Override
    public HintStore hints(HintStore hints, CurrentTopology topology) {
      return new WrappedHints(hints) {
        @Override
        public boolean keep(MemberId target, Mutation mutation) {
          List<MemberId> all = topology.get().members().stream().map(Member::id).toList();
          return inner.keep(all.get((all.indexOf(target) + 1) % all.size()), mutation);
        }
      };
    }
  },
  RESTAMPS_HINTS {
    @Override
    public HintStore hints(HintStore hints, CurrentTopology topology) {
      return new WrappedHints(hints) {
        @Override
        public boolean keep(MemberId target, Mutation mutation) {
          Version old = mutation.record().version();
          Version newer = new Version(old.stamp() + (1000L << 16), old.writer());
          return inner.keep(target, mutation.restamped(newer));
        }
      };
    }
  },
  IGNORES_THE_MARK_OF_THE_CLOCK {
    @Override
    public MarkStore marks(MarkStore marks, InstantSource clock) {
      return new MarkStore() {
        @Override
        public long mark(String name) {
          return name.equals(CLOCK_HIGH_WATER) ? 0 : marks.mark(name);
        }

        @Override
        public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
          marks.keepMark(name, number, loop, waiter);
        }
      };
    }

    @Override
    public boolean canShowIn(Profile profile) {
      // Versions come again only where the same time does.
      return !profile.areClocksBounded() && profile.clockTickMillis() > 1;
    }
  },
  DOES_NOT_WAIT_FOR_READ_REPAIR {
    @Override
    public Transport transport(MemberId self, Transport transport) {
      return BrokenTransports.doesNotWaitForReadRepair(self, transport);
    }
  },
  ACKNOWLEDGES_WHAT_IT_SENDS {
    @Override
    public Transport transport(MemberId self, Transport transport) {
      return BrokenTransports.acknowledgesWhatItSends(transport);
    }
  },
  /** Anti-entropy that never comes. */
  DOES_NOT_COMPARE_REPLICAS {
    @Override
    public CoreSettings settings(CoreSettings settings) {
      return with(settings, Duration.ofHours(3), Duration.ofHours(1));
    }
  },
  /** A purger that takes every tombstone for known to all. */
  REMOVES_TOMBSTONES_THAT_OTHERS_LACK {
    @Override
    public CoreSettings settings(CoreSettings settings) {
      return with(settings, settings.repair().interval(), Duration.ZERO);
    }

    @Override
    public MarkStore marks(MarkStore marks, InstantSource clock) {
      return new MarkStore() {
        @Override
        public long mark(String name) {
          return name.startsWith("pulled/") ? clock.millis() << 16 : marks.mark(name);
        }

        @Override
        public void keepMark(String name, long number, Executor loop, Waiter<WriteResult> waiter) {
          marks.keepMark(name, number, loop, waiter);
        }
      };
    }
  },
  SALVAGES_NOTHING {
    @Override
    public SetAsideStores setAside(SetAsideStores stores) {
      return BrokenSetAside.salvagesNothing(stores);
    }

    @Override
    public boolean canShowIn(Profile profile) {
      return profile.corrupts();
    }
  },
  /** An older version found beneath an unreadable one may have been deleted. */
  TAKES_ALL_SALVAGED_FOR_NEWEST {
    @Override
    public SetAsideStores setAside(SetAsideStores stores) {
      return BrokenSetAside.takesAllForNewest(stores);
    }

    @Override
    public boolean canShowIn(Profile profile) {
      return profile.corrupts();
    }
  },
  IGNORES_EPOCHS {
    @Override
    public boolean ignoresEpochs() {
      return true;
    }
  },
  JOINS_WITHOUT_RECORDS {
    @Override
    public Transport transport(MemberId self, Transport transport) {
      return BrokenTransports.copiesNothing(transport);
    }

    @Override
    public boolean canShowIn(Profile profile) {
      return profile.changes();
    }
  };

  private static CoreSettings with(
      CoreSettings settings, Duration interval, Duration tombstoneAgeMin) {
    RepairSettings repair =
        TestSettings.with(
            settings.repair(), "interval=" + interval, "tombstone-age-min=" + tombstoneAgeMin);
    return new CoreSettings(
        settings.coordinator(),
        settings.hints(),
        repair,
        settings.rebalance(),
        settings.clock(),
        settings.startupPeers());
  }
}
