package dev.kvorum.simulation.mutants;

import com.dynatrace.hash4j.hashing.Hasher64;
import dev.kvorum.background.BackgroundContext;
import dev.kvorum.data.ClockBounds;
import dev.kvorum.data.Key;
import dev.kvorum.data.KeyOrder;
import dev.kvorum.data.Versioned;
import dev.kvorum.placement.Layout;
import dev.kvorum.rpc.FenceNotice;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.rpc.Release;
import dev.kvorum.simulation.network.SimConnection;
import dev.kvorum.simulation.storage.DiskImage;
import dev.kvorum.storage.MarkStore;
import dev.kvorum.storage.Waiter;
import dev.kvorum.storage.WriteResult;
import dev.kvorum.storage.engine.EngineBatch;
import dev.kvorum.storage.engine.EngineException;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.Member;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.MemberState;
import dev.kvorum.topology.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** What patched production code calls in place of what it should: public, as it is elsewhere. */
public final class BrokenRules {
  private BrokenRules() {}

  /** Whether a key comes first in ascending order. */
  public static boolean isSmaller(KeyOrder order, Key key, Key other) {
    return key.compareTo(other) < 0;
  }

  /** No more than the first one. */
  public static <T> List<T> first(Stream<T> all) {
    return all.limit(1).toList();
  }

  /** A member that has moved, where it was before. */
  public static Member inOldZone(Member member, String nextZone) {
    return new Member(member.id(), member.zone(), MemberState.ACTIVE);
  }

  /** This machine's wall clock, however wrong. */
  public static OptionalLong ownMillis(BackgroundContext context) {
    return OptionalLong.of(context.wallMillis());
  }

  /** A reading of the wall clock, without the bounds of the other clocks. */
  public static long asItIs(ClockBounds bounds, long wallMillis) {
    return wallMillis;
  }

  /** The later of two times. */
  public static long later(long one, long other) {
    return Math.max(one, other);
  }

  /** What a live record adds to its leaf, without its flag and its checksum. */
  public static long hashDead(Hasher64 hasher, long key, long stamp, long writer) {
    return hasher.hashLongLongLongToLong(key, stamp & Long.MAX_VALUE, writer & ~0xFFFF_FFFFL);
  }

  /** A horizon that no run comes to. */
  public static Duration anHour(Object settings) {
    return Duration.ofHours(1);
  }

  /** Whether a record counts as live that has expired. */
  public static boolean isNoTombstone(Object operation, Versioned record) {
    return !record.tombstone();
  }

  /** Closes a connection of an older process, unless another loop than the first one has it. */
  public static void fenceOnOneLoop(ProcessRegistry.Link link, FenceNotice notice) {
    if (!(link instanceof SimConnection connection) || connection.loopContext() == 0) {
      link.fence(notice);
    }
  }

  /** The records of each table, with those that a newer table has removed. */
  public static NavigableMap<Key, Versioned> copyTableByTable(DiskImage disk) {
    NavigableMap<Key, Versioned> records = new TreeMap<>(disk.overwritten);
    records.putAll(disk.records);
    return records;
  }

  /** A batch whose commit does not wait for the disk. */
  public static void writeUnsynced(EngineBatch batch) throws EngineException {
    batch.writeUnsynced();
  }

  /** Whether a member gains anything, as long as it has not copied that once. */
  public static boolean gainsAtFirst(Layout layout, MemberId member) {
    return layout.topology().phase() == Phase.TRANSFERRING && layout.gainsAnything(member);
  }

  /** Keeps a mark, and does not wait for it. */
  public static void keepMark(
      MarkStore marks, String name, long number, Executor loop, Waiter<WriteResult> waiter) {
    marks.keepMark(name, number, loop, applied -> {});
    loop.execute(() -> waiter.reply(WriteResult.Stored.STORED));
  }

  /** The first of some stamps that come one by one. */
  public static long firstStamp(long known, long next) {
    return known == Long.MAX_VALUE ? next : known;
  }

  /** Notes a source as what the first constant of its enum says, whatever it is. */
  public static Object mergeFull(
      Map<Object, Object> sources, Object source, Object kind, BiFunction<?, ?, ?> merging) {
    Object first = kind.getClass().getEnumConstants()[0];
    sources.put(source, first);
    return first;
  }

  /** A time on a monotone clock at which nothing is late. */
  public static long anHourAgo(LongSupplier nanoTime) {
    return nanoTime.getAsLong() - Duration.ofHours(1).toNanos();
  }

  /** A release is taken for one with all features. */
  public static Set<Feature> lacksNothing(Release release, Set<Feature> wanted) {
    return Set.of();
  }
}
