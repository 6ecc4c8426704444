package dev.kvorum.rpc;

import dev.kvorum.data.RejectReason;
import dev.kvorum.metrics.PeerMeters;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.collection.IntObjectHashMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection to a peer, from handshake to close. It sends many requests at a time and matches
 * the replies by call number.
 */
final class PeerConnection extends SimpleChannelInboundHandler<ByteBuf>
    implements ProcessRegistry.Link {
  private static final Logger log = LoggerFactory.getLogger(PeerConnection.class);

  private final HandshakePolicy handshakes;
  private final MemberId peer;
  private final RpcSettings settings;
  private final OutboundBudget outbound;
  private final PeerMeters meters;
  private final PeerConnectionOwner owner;
  private final FrameReader frames = new FrameReader();
  private final IntObjectHashMap<Pending> pending = new IntObjectHashMap<>();
  private Channel channel;
  private FrameWriter writer;
  private int protocol;
  private int lastCall;
  private final Heartbeats heartbeats = new Heartbeats();
  private long receivedBytes;
  private String closeReason = "closed by the peer";
  // Set by any thread. From then on no request is sent, and replies are ignored.
  private volatile boolean cutOff;

  @SuppressWarnings("NullAway.Init") // channel and writer are set before the first use
  PeerConnection(
      HandshakePolicy handshakes,
      MemberId peer,
      RpcSettings settings,
      OutboundBudget outbound,
      PeerMeters meters,
      PeerConnectionOwner owner) {
    this.handshakes = handshakes;
    this.peer = peer;
    this.settings = settings;
    this.outbound = outbound;
    this.meters = meters;
    this.owner = owner;
  }

  /** Splits the bytes of the connection into frames. */
  FrameReader frames() {
    return frames;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    channel = context.channel();
    writer = new FrameWriter(channel, outbound);
    handshakes.greeting(peer).write(writer.begin(FrameKind.HELLO, 0));
    writer.end();
  }

  /** Sends a request. Call it only after the owner was notified that the connection is ready. */
  Transport.Call ask(
      ReplicaRequest request, long epoch, long timeoutMillis, Waiter<ReplicaReply> waiter) {
    boolean isGone = cutOff || !handshakes.canRead(peer, request);
    if (isGone || pending.size() >= settings.inFlightMax() || writer.isFull()) {
      RejectReason reason = isGone ? RejectReason.UNREACHABLE : RejectReason.OVERLOADED;
      return Peer.reject(reason, meters, waiter);
    }
    int call = ++lastCall;
    try {
      FrameFields fields = FrameFields.of(request, protocol);
      ReplicaRequest body = fields.isEmpty() ? request : request.untraced();
      ByteBuf out = writer.begin(fields.marked(ReplicaCodec.kindOf(body)), call);
      fields.write(out);
      out.writeLong(epoch).writeInt((int) timeoutMillis);
      ReplicaCodec.write(body, out);
      writer.end();
    } catch (OutOfMemoryError e) {
      // Out of memory outside the heap: reject the request, as with a full queue.
      return Peer.reject(RejectReason.OVERLOADED, meters, waiter);
    }
    Pending asked = new Pending(call, request.untraced() instanceof ReplicaRequest.Read, waiter);
    pending.put(call, asked);
    return asked;
  }

  /** Counts the bytes sent and received since the last call. */
  void countMoved() {
    meters.moved(writer.takeSentBytes(), receivedBytes);
    receivedBytes = 0;
  }

  /** Sends a heartbeat that requests the peer's time; the own clocks read {@code now}. */
  void ping(RemoteClockMonitor.Asked now) {
    writer.begin(FrameKind.PING, heartbeats.next(now, handshakes.fence().rejections()));
    writer.end();
  }

  /** Whether no request waits for its reply. */
  boolean isIdle() {
    return pending.isEmpty();
  }

  void close(String why) {
    closeReason = why;
    channel.close();
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    if (cutOff) {
      return;
    }
    owner.received();
    receivedBytes += FrameWriter.LENGTH_BYTES + frame.readableBytes();
    try {
      byte marked = frame.readByte();
      int call = frame.readInt();
      FrameFields fields = FrameFields.read(marked, frame);
      switch (FrameFields.kind(marked)) {
        case FrameKind.PONG -> {
          Optional<RemoteClockMonitor.Asked> asked = heartbeats.replied(call);
          if (asked.isPresent()) {
            handshakes.fence().admittedBy(peer, heartbeats.rejectionsBefore());
            long then = asked.get().wallMillis();
            // A node of an older version sends no time; this must not count against its clock.
            owner.onPeerTime(asked.get(), frame.isReadable() ? frame.readLong() : then);
          }
        }
        case FrameKind.WELCOME -> welcome(Handshake.read(frame));
        case FrameKind.REJECTED -> {
          handshakes.noteRejection(peer, fields);
          close("rejected: " + frame.toString(StandardCharsets.UTF_8));
        }
        case FrameKind.FENCED -> {
          FenceNotice notice = FenceNotice.read(frame);
          handshakes.fence().rejectedBy(peer, notice);
          close("rejected: " + notice.text());
        }
        default -> {
          Pending asked = pending.get(call);
          if (asked != null) {
            // Still pending: a malformed reply closes the connection, which fails the call.
            ReplicaReply reply =
                fields.complete(ReplicaCodec.readReply(FrameFields.kind(marked), frame));
            pending.remove(call);
            asked.reply(reply);
          }
        }
      }
    } catch (MalformedFrameException | IndexOutOfBoundsException e) {
      close("malformed frame: " + e.getMessage());
    }
  }

  private void welcome(Handshake reply) {
    String objection = handshakes.objection(reply).map(Objection::text).orElse("");
    if (objection.isEmpty() && !reply.speaker().equals(peer)) {
      objection = "it is " + reply.speaker() + ", not " + peer;
    }
    if (!objection.isEmpty()) {
      close(objection);
      return;
    }
    Optional<FenceNotice> fenced = handshakes.enter(reply, this);
    if (fenced.isPresent()) {
      sendFenced(fenced.get());
      return;
    }
    frames.expectUpTo(FrameReader.BYTES_MAX);
    protocol = handshakes.protocol(reply);
    handshakes.fence().admittedBy(peer);
    owner.ready(this);
    handshakes.noteEpoch(reply);
  }

  @Override
  public boolean isInbound() {
    return false;
  }

  @Override
  public void fence(FenceNotice notice) {
    cutOff = true;
    channel.eventLoop().execute(() -> sendFenced(notice));
  }

  @Override
  public void cutOff(String why) {
    cutOff = true;
    channel.eventLoop().execute(() -> close(why));
  }

  private void sendFenced(FenceNotice notice) {
    if (!channel.isActive()) {
      return;
    }
    notice.write(writer.begin(FrameKind.FENCED, 0));
    writer.end();
    closeReason = "fenced: " + notice.text();
    channel.eventLoop().execute(channel::close);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    handshakes.leave(peer, this);
    writer.close();
    List<Pending> lost = new ArrayList<>(pending.values());
    pending.clear();
    owner.closed(this, closeReason);
    lost.forEach(asked -> asked.end(new ReplicaReply.Failed(RejectReason.UNREACHABLE)));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    log.debug("Connection to {} failed", peer, cause);
    close(String.valueOf(cause.getMessage()));
  }

  private final class Pending implements Transport.Call {
    private final int call;
    private final boolean read;
    private final Waiter<ReplicaReply> waiter;
    private final long sentNanos = System.nanoTime();

    Pending(int call, boolean read, Waiter<ReplicaReply> waiter) {
      this.call = call;
      this.read = read;
      this.waiter = waiter;
      meters.asked();
    }

    void reply(ReplicaReply reply) {
      long tookNanos = measure(reply);
      if (read) {
        owner.readTook(tookNanos);
      }
      waiter.reply(reply);
    }

    void end(ReplicaReply reply) {
      measure(reply);
      waiter.reply(reply);
    }

    private long measure(ReplicaReply reply) {
      long tookNanos = System.nanoTime() - sentNanos;
      meters.replied(tookNanos);
      if (reply instanceof ReplicaReply.Failed failed) {
        meters.failed(failed.reason().label());
      }
      return tookNanos;
    }

    @Override
    public void cancel() {
      if (pending.remove(call) != null) {
        meters.cancelled();
        notifyPeer();
      }
    }

    @Override
    public void expire() {
      if (pending.remove(call) != null) {
        measure(new ReplicaReply.Failed(RejectReason.TIMED_OUT));
        notifyPeer();
      }
    }

    private void notifyPeer() {
      if (!channel.isActive()) {
        return;
      }
      try {
        writer.begin(FrameKind.CANCEL, call);
        writer.end();
      } catch (OutOfMemoryError e) {
        // Cancelling is best effort; its failure must not affect the caller's next step.
        log.debug("Out of memory while cancelling a call to {}", peer, e);
      }
    }
  }
}
