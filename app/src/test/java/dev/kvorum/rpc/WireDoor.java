package dev.kvorum.rpc;

import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.RepairReply;
import dev.kvorum.replica.RepairRequest;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.replica.TransferRequest;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The wire's own encoding and a replica's own door, opened for a simulated network: what is not in
 * the bytes does not arrive.
 */
public final class WireDoor {
  private WireDoor() {}

  /** The time that a replica returns to a peer. */
  public static long wallMillis(LocalReplica replica) {
    return replica.wallMillis();
  }

  /** A request as a frame. */
  public static byte[] frame(long epoch, long timeoutMillis, ReplicaRequest request) {
    ByteBuf out = Unpooled.buffer(128).writeByte(ReplicaCodec.kindOf(request));
    out.writeLong(epoch).writeInt((int) timeoutMillis);
    ReplicaCodec.write(request, out);
    return bytes(out);
  }

  /** A request in a few words that are the same in every run. */
  public static String words(ReplicaRequest request, byte[] frame) {
    return switch (request) {
      case ReplicaRequest.Read _, ReplicaRequest.Write _, ReplicaRequest.PullHints _ ->
          request.toString();
      case ReplicaRequest.Traced traced -> traced.parent() + " " + words(traced.request(), frame);
      case ReplicaRequest.Scan _, RepairRequest _, TransferRequest _ ->
          request.getClass().getSimpleName() + "#" + Integer.toHexString(Arrays.hashCode(frame));
    };
  }

  /** A reply in a few words that are the same in every run. */
  public static String words(ReplicaReply reply, byte[] frame) {
    return switch (reply) {
      case ReplicaReply.ReadReply _,
          ReplicaReply.WriteReply _,
          ReplicaReply.HintsDelivered _,
          ReplicaReply.Failed _ ->
          reply.toString();
      case ReplicaReply.Page _, RepairReply _, TransferReply _ ->
          reply.getClass().getSimpleName() + "#" + Integer.toHexString(Arrays.hashCode(frame));
    };
  }

  /** A frame with a bit flipped in the last record that it carries; as it was if it has none. */
  public static byte[] flipped(byte[] frame) {
    boolean ends =
        switch (frame[0]) {
          case FrameKind.WRITE, FrameKind.FOUND -> true;
          case FrameKind.PAGE ->
              reply(frame) instanceof ReplicaReply.Page page && !page.records().isEmpty();
          case FrameKind.GAINED ->
              reply(frame) instanceof TransferReply.Gained gained && !gained.records().isEmpty();
          default -> false;
        };
    byte[] arriving = frame.clone();
    if (ends) {
      // Of the value, or of the checksum where that is empty.
      arriving[arriving.length - 1] ^= 16;
    }
    return arriving;
  }

  /** The epoch that a framed request carries. */
  public static long epochOf(byte[] frame) {
    return Unpooled.wrappedBuffer(frame).getLong(1);
  }

  /** Whether the reply in a frame is more than a rejection, or who the members are. */
  public static boolean isServed(byte[] frame) {
    ReplicaReply reply = reply(frame);
    return !reply.equals(ReplicaReply.STALE_EPOCH)
        && !reply.equals(ReplicaReply.FENCED)
        && !(reply instanceof TransferReply.Known);
  }

  /** The reply in a frame. */
  public static ReplicaReply reply(byte[] frame) {
    ByteBuf in = Unpooled.wrappedBuffer(frame);
    try {
      byte marked = in.readByte();
      FrameFields fields = FrameFields.read(marked, in);
      return fields.complete(ReplicaCodec.readReply(FrameFields.kind(marked), in));
    } catch (MalformedFrameException e) {
      throw new AssertionError("a node wrote what a node cannot read", e);
    }
  }

  /**
   * Lets a replica answer a framed request, as a served connection does.
   *
   * @param epoch that the request is taken to be planned in
   * @param loop of the replica's process
   */
  public static Serving serve(
      LocalReplica replica,
      byte[] frame,
      long epoch,
      LongSupplier nanoTime,
      Executor loop,
      Consumer<byte[]> answer) {
    ByteBuf in = Unpooled.wrappedBuffer(frame);
    try {
      byte kind = in.readByte();
      in.skipBytes(Long.BYTES);
      long deadlineNanos = nanoTime.getAsLong() + in.readUnsignedInt() * 1_000_000;
      ReplicaRequest request = ReplicaCodec.readRequest(kind, in);
      Serving serving = new Serving(deadlineNanos, nanoTime, answer);
      replica.handle(request, epoch, loop, serving);
      return serving;
    } catch (MalformedFrameException e) {
      throw new AssertionError("a node wrote what a node cannot read", e);
    }
  }

  /** The node whose policy this is. */
  public static LocalMember self(HandshakePolicy handshakes) {
    return handshakes.self();
  }

  /** A node's handshake as a frame. */
  public static byte[] greeting(HandshakePolicy handshakes, MemberId listener) {
    ByteBuf out = Unpooled.buffer(128);
    handshakes.greeting(listener).write(out);
    return bytes(out);
  }

  /** Who has sent a handshake. */
  public static MemberId speaker(byte[] hello) {
    return handshake(hello).speaker();
  }

  /** Why a connection must be closed for its handshake, if so: it is of a wrong node. */
  public static Optional<Objection> objection(HandshakePolicy handshakes, byte[] hello) {
    return handshakes.objection(handshake(hello));
  }

  /** Registers an accepted connection, or returns why its process is fenced. */
  public static Optional<FenceNotice> enter(
      HandshakePolicy handshakes, byte[] hello, ProcessRegistry.Link link) {
    return handshakes.enter(handshake(hello), link);
  }

  /** A connection that was counted is closed. */
  public static void leave(
      HandshakePolicy handshakes, MemberId speaker, ProcessRegistry.Link link) {
    handshakes.leave(speaker, link);
  }

  /** Takes note of the epoch in a handshake. */
  public static void noteEpoch(HandshakePolicy handshakes, byte[] hello) {
    handshakes.noteEpoch(handshake(hello));
  }

  /** A peer rejects this process. */
  public static void rejected(HandshakePolicy handshakes, MemberId peer, FenceNotice notice) {
    handshakes.fence().rejectedBy(peer, notice);
  }

  /** How many rejections have come. */
  public static long rejections(HandshakePolicy handshakes) {
    return handshakes.fence().rejections();
  }

  /** A peer answers what it was asked when so many rejections had come. */
  public static void answered(HandshakePolicy handshakes, MemberId peer, long rejectionsBefore) {
    handshakes.fence().admittedBy(peer, rejectionsBefore);
  }

  /** A peer admits this process, or is no member any more. */
  public static void admitted(HandshakePolicy handshakes, MemberId peer) {
    handshakes.fence().admittedBy(peer);
  }

  /** What a process of this release knows of its peers' releases when it starts: nothing. */
  public static PeerReleases releases() {
    return new PeerReleases(Release.CURRENT, Set.of());
  }

  /** A peer names the versions of the protocol that it has. */
  public static void noteProtocols(PeerReleases releases, MemberId peer, int min, int max) {
    releases.note(peer, new Release("", new ProtocolRange(min, max)));
  }

  /** A registry that compares the processes of incoming connections only: for mutants. */
  public static Optional<FenceNotice> enterIncoming(
      ProcessRegistry processes,
      MemberId member,
      ProcessId process,
      int loops,
      ProcessRegistry.Link link) {
    return link.isInbound() ? processes.enter(member, process, loops, link) : Optional.empty();
  }

  /** The same for outgoing ones. */
  public static Optional<FenceNotice> enterOutgoing(
      ProcessRegistry processes,
      MemberId member,
      ProcessId process,
      int loops,
      ProcessRegistry.Link link) {
    return link.isInbound() ? Optional.empty() : processes.enter(member, process, loops, link);
  }

  /** Takes a member that cannot be reached for one that has admitted this process: for a mutant. */
  public static void admitUnreached(Fence fence, MemberId peer) {
    fence.notReached(peer);
    fence.admittedBy(peer);
  }

  private static Handshake handshake(byte[] hello) {
    try {
      return Handshake.read(Unpooled.wrappedBuffer(hello));
    } catch (MalformedFrameException e) {
      throw new AssertionError("a node wrote what a node cannot read", e);
    }
  }

  private static byte[] bytes(ByteBuf buffer) {
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }

  /** A request that a replica works on. */
  public static final class Serving implements Waiter<ReplicaReply> {
    private final long deadlineNanos;
    private final LongSupplier nanoTime;
    private final Consumer<byte[]> answer;
    private boolean over;

    Serving(long deadlineNanos, LongSupplier nanoTime, Consumer<byte[]> answer) {
      this.deadlineNanos = deadlineNanos;
      this.nanoTime = nanoTime;
      this.answer = answer;
    }

    /** Nobody waits any more. */
    public void cancel() {
      over = true;
    }

    /** Whether an answer is still owed. */
    public boolean isOpen() {
      return !over;
    }

    @Override
    public void reply(ReplicaReply reply) {
      if (!over) {
        over = true;
        FrameFields fields = FrameFields.of(reply);
        ByteBuf out = Unpooled.buffer(64).writeByte(fields.marked(ReplicaCodec.kindOf(reply)));
        fields.write(out);
        ReplicaCodec.write(reply, out);
        answer.accept(bytes(out));
      }
    }

    @Override
    public boolean isWaiting() {
      return !over && deadlineNanos - nanoTime.getAsLong() > 0;
    }
  }
}
