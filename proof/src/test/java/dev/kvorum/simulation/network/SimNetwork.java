package dev.kvorum.simulation.network;

import dev.kvorum.rpc.WireDoor;
import dev.kvorum.simulation.run.Profile;
import dev.kvorum.simulation.run.Trace;
import dev.kvorum.topology.MemberId;
import dev.kvorum.virtualtime.VirtualLoop;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The network between all machines: every frame takes its own time, some are lost or come twice,
 * and each direction of each pair can be cut.
 */
public final class SimNetwork {
  private record Route(MemberId from, MemberId to) {}

  /** One direction between two machines. */
  private static final class Link {
    boolean cut;
    double lossShare;
    long slowMillis;
    double flippedShare;
  }

  private final VirtualLoop time;
  private final RandomGenerator random;
  private final Trace trace;
  private final Predicate<MemberId> machineIsUp;
  private final double lossShare;
  private final Map<Route, Link> links = new HashMap<>();
  private final Set<MemberId> isolated = new TreeSet<>();
  private final Map<MemberId, List<SimServer>> listening = new TreeMap<>();
  private final double lostWrites;
  private boolean healed;
  private boolean calm;
  public long framesLost;
  public long framesTwice;
  public long framesFlipped;
  long framesCarried;

  /**
   * A network on which nobody listens.
   *
   * @param machineIsUp whether the machine at an address answers, though no process may listen
   */
  public SimNetwork(
      VirtualLoop time,
      RandomGenerator random,
      Trace trace,
      Profile profile,
      Predicate<MemberId> machineIsUp) {
    this.time = time;
    this.random = random;
    this.trace = trace;
    this.machineIsUp = machineIsUp;
    this.lossShare = profile.lossShare();
    this.lostWrites = profile.bias().lostWrites;
  }

  /** Virtual time. */
  long nanoTime() {
    return time.nanoTime();
  }

  /** Share of writes that are lost beside what befalls all frames. */
  double lostWrites() {
    return healed ? 0 : lostWrites;
  }

  /** Whether the machine at an address answers. */
  boolean isUp(MemberId address) {
    return machineIsUp.test(address);
  }

  /** A process listens from now on. */
  public void listen(MemberId address, List<SimServer> loopContexts) {
    listening.put(address, loopContexts);
  }

  /** Nobody listens there any more. */
  public void close(MemberId member) {
    listening.remove(member);
  }

  @Nullable SimServer server(MemberId address, int loopContext) {
    List<SimServer> loopContexts = listening.get(address);
    return loopContexts == null ? null : loopContexts.get(loopContext);
  }

  private Link link(MemberId from, MemberId to) {
    return links.computeIfAbsent(new Route(from, to), route -> new Link());
  }

  public void cut(MemberId from, MemberId to, boolean cut) {
    link(from, to).cut = cut;
  }

  public void lose(MemberId from, MemberId to, double share) {
    link(from, to).lossShare = share;
  }

  public void slowDown(MemberId from, MemberId to, long millis) {
    link(from, to).slowMillis = millis;
  }

  /** Flips a bit of so many of the frames that carry records. */
  public void flip(MemberId from, MemberId to, double share) {
    link(from, to).flippedShare = share;
  }

  /** A frame as it arrives, if it does. */
  byte[] onTheWay(MemberId from, MemberId to, byte[] frame) {
    Link link = link(from, to);
    // No draw where nothing is flipped: other runs stay as they are.
    if (link.flippedShare == 0 || random.nextDouble() >= link.flippedShare) {
      return frame;
    }
    framesFlipped++;
    return WireDoor.flipped(frame);
  }

  /** Cuts an address off from all others, in addition to other cuts. */
  public void isolate(MemberId address, boolean isIsolated) {
    if (isIsolated) {
      isolated.add(address);
    } else {
      isolated.remove(address);
    }
  }

  /** Whether all that one member sends to another one is lost. */
  public boolean isCut(MemberId from, MemberId to) {
    return link(from, to).cut || isolated.contains(from) || isolated.contains(to);
  }

  /** From now on nothing is cut, lost or late. */
  public void heal() {
    links.clear();
    isolated.clear();
    healed = true;
  }

  /** While it is calm everything arrives at once, even over cut, lossy or slow links. */
  public void calm(boolean isCalm) {
    calm = isCalm;
  }

  /** Carries something that may come late, never, or twice. */
  void carry(MemberId from, MemberId to, String what, Runnable delivery) {
    Link link = link(from, to);
    framesCarried++;
    boolean lost =
        isCut(from, to) || random.nextDouble() < link.lossShare + (healed ? 0 : lossShare);
    if (lost && !calm) {
      framesLost++;
      trace.note("lost " + from + " > " + to + " " + what);
      return;
    }
    deliver(link, from, to, what, delivery);
    if (!healed && random.nextInt(40) == 0) {
      framesTwice++;
      deliver(link, from, to, what, delivery);
    }
  }

  private void deliver(Link link, MemberId from, MemberId to, String what, Runnable delivery) {
    long micros = 100 + random.nextLong(1500);
    if (!healed && random.nextInt(50) == 0 && !calm) {
      micros += random.nextLong(1_800_000);
    }
    micros += 1000 * (link.slowMillis == 0 || calm ? 0 : random.nextLong(link.slowMillis));
    time.schedule(
        () -> {
          trace.note(from + " > " + to + " " + what);
          delivery.run();
        },
        micros,
        TimeUnit.MICROSECONDS);
  }
}
