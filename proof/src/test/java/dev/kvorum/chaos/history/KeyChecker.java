package dev.kvorum.chaos.history;

import dev.kvorum.chaos.history.Operation.Kind;
import dev.kvorum.chaos.history.Operation.Outcome;
import dev.kvorum.chaos.history.Violation.Rule;
import dev.kvorum.verifier.Floor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of time, for one key: walks the operations in the order in which they began and holds
 * each against the floor that those which had ended before left behind.
 *
 * <p>An indeterminate write never lifts the floor and may explain what is seen ever after, as far
 * as its version can be above what it hides.
 */
final class KeyChecker {
  private final Times times;
  private final String key;
  private final List<Operation> byStart;
  private final List<Operation> byEnd;
  private final Map<String, Operation> puts = new HashMap<>();
  private final List<Operation> hiding;
  private final IdentityHashMap<Operation, Floor<Operation>> floorsOfMisses =
      new IdentityHashMap<>();
  private final List<Violation> found = new ArrayList<>();
  private @Nullable Floor<Operation> floor;

  KeyChecker(Times times, String key, List<Operation> operations) {
    this.times = times;
    this.key = key;
    this.byStart = sorted(operations, Comparator.comparingLong(Operation::startNanos));
    this.byEnd = sorted(operations, Comparator.comparingLong(Operation::endNanos));
    this.hiding =
        byStart.stream()
            .filter(o -> o.kind() == Kind.DELETE || (o.kind() == Kind.PUT && o.ttlMillis() > 0))
            .filter(o -> o.outcome() != Outcome.REJECTED)
            .toList();
    operations.stream().filter(o -> o.kind() == Kind.PUT).forEach(o -> puts.put(o.value(), o));
  }

  private static List<Operation> sorted(List<Operation> some, Comparator<Operation> order) {
    return some.stream().sorted(order).toList();
  }

  List<Violation> check() {
    int ended = 0;
    for (Operation operation : byStart) {
      while (byEnd.get(ended).endNanos() < operation.startNanos()) {
        lift(byEnd.get(ended));
        ended++;
      }
      switch (operation.outcome()) {
        case OK -> {
          if (operation.isWrite()) {
            checkWrite(operation);
          } else {
            checkHit(operation);
          }
        }
        case NOT_FOUND -> checkMiss(operation);
        case INDETERMINATE, REJECTED -> {}
      }
    }
    return found;
  }

  private void lift(Operation ended) {
    if (ended.kind() == Kind.RANGE) {
      return;
    }
    switch (ended.outcome()) {
      case OK -> raise(ended.version(), false, ended);
      case NOT_FOUND -> {
        Floor<Operation> hidden = floorsOfMisses.remove(ended);
        // A value that may only have expired is still the newest.
        if (hidden != null && !isDelete(hidden) && !isMortal(hidden)) {
          raise(hidden.version(), true, ended);
        }
      }
      case INDETERMINATE, REJECTED -> {}
    }
  }

  private void raise(String version, boolean passed, Operation by) {
    floor = Floor.higher(floor, new Floor<>(version, passed, by.isWrite(), by));
  }

  private static boolean isDelete(Floor<Operation> at) {
    return at.by().kind() == Kind.DELETE;
  }

  private boolean isMortal(Floor<Operation> at) {
    Operation put = puts.get(at.by().value());
    return put != null && put.ttlMillis() > 0;
  }

  private void checkWrite(Operation write) {
    if (floor != null && !floor.isBelow(write.version())) {
      report(Rule.WRITE_BELOW_OLDER, "acknowledged below an older one", floor.by(), write);
    }
  }

  private void checkHit(Operation read) {
    if (floor != null && floor.isAbove(read.version())) {
      Rule rule = isDelete(floor) ? Rule.RESURRECTED_DELETE : lossOf(floor.by());
      report(rule, "an older value is back" + session(read), floor.by(), read);
    }
    Operation put = puts.get(read.value());
    if (put == null) {
      report(Rule.PHANTOM, "nobody wrote that", read);
    } else if (put.startNanos() > read.endNanos()) {
      report(Rule.PHANTOM, "read before it was written", read, put);
    } else if (put.outcome() == Outcome.REJECTED) {
      report(Rule.REJECTED_BUT_STORED, "rejected, and there", put, read);
    } else if (times.isExpired(put, read)) {
      report(Rule.TTL_SEEN_LATE, "seen after its time", put, read);
    }
  }

  private void checkMiss(Operation read) {
    Floor<Operation> hidden = floor;
    if (hidden == null) {
      return;
    }
    if (read.kind() == Kind.GET) {
      floorsOfMisses.put(read, hidden);
    }
    // What a read did not find has been explained, or reported, once.
    if (isDelete(hidden) || hidden.passed()) {
      return;
    }
    Operation put = puts.get(hidden.by().value());
    if (put != null && times.mayBeExpired(put, read)) {
      return;
    }
    if (hiding.stream().noneMatch(write -> mayHide(write, hidden.version(), read))) {
      boolean mortal = put != null && put.ttlMillis() > 0;
      Rule rule = mortal ? Rule.TTL_LOST_EARLY : lossOf(hidden.by());
      report(rule, "not there any more" + session(read), hidden.by(), read);
    }
  }

  private boolean mayHide(Operation write, String version, Operation read) {
    return write.startNanos() <= read.endNanos()
        && times.mayBeAbove(write, version)
        && (write.kind() == Kind.DELETE || times.mayBeExpired(write, read));
  }

  private static Rule lossOf(Operation by) {
    return by.isWrite() ? Rule.LOST_WRITE : Rule.VERSION_BACKWARDS;
  }

  private String session(Operation read) {
    return floor != null && floor.by().client().equals(read.client()) ? ", in one session" : "";
  }

  private void report(Rule rule, String detail, Operation... trace) {
    found.add(new Violation(rule, key, detail, Stream.of(trace).toList()));
  }
}
