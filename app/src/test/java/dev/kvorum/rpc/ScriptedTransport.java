package dev.kvorum.rpc;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A network in which the test is every other member. */
public class ScriptedTransport implements Transport {
  private final List<Ask> asks = new ArrayList<>();
  private final Set<MemberId> suspects = new HashSet<>();
  private final Map<MemberId, Function<ReplicaRequest, ReplicaReply>> inline = new HashMap<>();
  private long slowReadNanos = Duration.ofMillis(10).toNanos();

  /** A request that went out. */
  public static final class Ask implements Transport.Call {
    private final MemberId to;
    private final ReplicaRequest request;
    private final long epoch;
    private final long timeoutMillis;
    private final Waiter<ReplicaReply> waiter;
    private boolean cancelled;
    private boolean answered;

    Ask(
        MemberId to,
        ReplicaRequest request,
        long epoch,
        long timeoutMillis,
        Waiter<ReplicaReply> waiter) {
      this.epoch = epoch;
      this.to = to;
      this.request = request;
      this.timeoutMillis = timeoutMillis;
      this.waiter = waiter;
    }

    public ReplicaRequest request() {
      return request;
    }

    /** In which it was planned. */
    public long epoch() {
      return epoch;
    }

    public long timeoutMillis() {
      return timeoutMillis;
    }

    /** Whether the asker does not wait any more. */
    public boolean isCancelled() {
      return cancelled;
    }

    /** Answers it. */
    public void reply(ReplicaReply reply) {
      answered = true;
      waiter.reply(reply);
    }

    @Override
    public void cancel() {
      cancelled = true;
    }
  }

  /** From now on this member answers before the asking returns. */
  public void answerInline(MemberId member, Function<ReplicaRequest, ReplicaReply> answer) {
    inline.put(member, answer);
  }

  /** From now on this member is suspect. */
  public void suspect(MemberId member) {
    suspects.add(member);
  }

  /** From now on this member is not suspect. */
  public void trust(MemberId member) {
    suspects.remove(member);
  }

  /** Everything that a member was asked and has not answered, in order. */
  public List<Ask> open(MemberId member) {
    return asks.stream().filter(ask -> ask.to.equals(member) && !ask.answered).toList();
  }

  /** Every request that a member was ever sent, in order. */
  public List<ReplicaRequest> sent(MemberId member) {
    return asks.stream().filter(ask -> ask.to.equals(member)).map(Ask::request).toList();
  }

  /** The only thing that a member has been asked and has not answered. */
  public Ask only(MemberId member) {
    List<Ask> open = open(member);
    if (open.size() != 1) {
      throw new AssertionError(member + " owes " + open.size() + " answers, not 1");
    }
    return open.getFirst();
  }

  @Override
  public Call ask(
      MemberId to,
      ReplicaRequest request,
      long epoch,
      long timeoutMillis,
      Waiter<ReplicaReply> waiter) {
    Ask ask = new Ask(to, request, epoch, timeoutMillis, waiter);
    asks.add(ask);
    Function<ReplicaRequest, ReplicaReply> answer = inline.get(to);
    if (answer != null) {
      ask.reply(answer.apply(request));
      return Call.DONE;
    }
    return ask;
  }

  @Override
  public boolean isConnected(MemberId member) {
    return !isSuspect(member);
  }

  @Override
  public boolean isKnown(MemberId member) {
    return true;
  }

  @Override
  public void tick() {}

  @Override
  public boolean isSuspect(MemberId member) {
    return suspects.contains(member);
  }

  @Override
  public long slowReadNanos(MemberId member) {
    return slowReadNanos;
  }
}
