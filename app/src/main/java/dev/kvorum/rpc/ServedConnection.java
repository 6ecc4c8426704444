package dev.kvorum.rpc;

import dev.kvorum.data.RejectReason;
import dev.kvorum.replica.LocalReplica;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.security.PeerTls;
import dev.kvorum.storage.Waiter;
import dev.kvorum.topology.MemberId;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.concurrent.Future;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A connection that a peer has made: receives its requests and sends the replies. */
final class ServedConnection extends SimpleChannelInboundHandler<ByteBuf>
    implements ProcessRegistry.Link {
  private static final Logger log = LoggerFactory.getLogger(ServedConnection.class);

  // Multiple of the drop timeout: the peer has closed its end long before.
  private static final int SILENCE_DROPS = 2;

  private static final ReplicaReply OVERLOADED = new ReplicaReply.Failed(RejectReason.OVERLOADED);

  private final HandshakePolicy handshakes;
  private final LocalReplica replica;
  private final RpcSettings settings;
  private final OutboundBudget outbound;
  private final Duration greetingMax;
  private final Consumer<MemberId> onSeen;
  private final FrameReader frames = new FrameReader();
  private final IntObjectHashMap<Serving> open = new IntObjectHashMap<>();
  private Channel channel;
  private FrameWriter writer;
  private @Nullable MemberId speaker;
  private @Nullable Future<?> idleCheck;
  private boolean moved;
  // Set by another thread: a newer process was seen, or a feature became active that the peer
  // lacks. From then on, no request is served or replied to.
  private volatile boolean cutOff;

  @SuppressWarnings("NullAway.Init") // channel and writer are set before the first frame
  ServedConnection(
      HandshakePolicy handshakes,
      LocalReplica replica,
      RpcSettings settings,
      OutboundBudget outbound,
      Duration tlsMax,
      Consumer<MemberId> onSeen) {
    this.handshakes = handshakes;
    this.replica = replica;
    this.settings = settings;
    this.outbound = outbound;
    this.greetingMax = settings.connectTimeout().plus(tlsMax);
    this.onSeen = onSeen;
  }

  /** Splits the bytes of the connection into frames. */
  FrameReader frames() {
    return frames;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    channel = context.channel();
    writer = new FrameWriter(channel, outbound);
    long silenceMax = SILENCE_DROPS * settings.dropAfter().toMillis();
    EventLoop loop = channel.eventLoop();
    // Through execute: a periodic task that throws would not run again.
    idleCheck =
        loop.scheduleWithFixedDelay(
            () -> loop.execute(this::checkIdle), silenceMax, silenceMax, TimeUnit.MILLISECONDS);
    loop.schedule(
        () -> {
          if (speaker == null) {
            channel.close();
          }
        },
        greetingMax.toMillis(),
        TimeUnit.MILLISECONDS);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    moved = true;
    if (cutOff) {
      return;
    }
    try {
      byte marked = frame.readByte();
      int call = frame.readInt();
      byte kind = FrameFields.kind(marked);
      FrameFields fields = FrameFields.read(marked, frame);
      if (speaker == null) {
        greet(kind, frame);
        return;
      }
      switch (kind) {
        case FrameKind.PING -> {
          writer.begin(FrameKind.PONG, call).writeLong(replica.wallMillis());
          writer.end();
        }
        case FrameKind.CANCEL -> {
          Serving cancelled = open.remove(call);
          if (cancelled != null) {
            cancelled.over = true;
          }
        }
        case FrameKind.FENCED -> {
          handshakes.fence().rejectedBy(speaker, FenceNotice.read(frame));
          channel.close();
        }
        default -> serve(kind, call, fields, frame);
      }
    } catch (MalformedFrameException | IndexOutOfBoundsException e) {
      log.warn("Closed the connection of {}: {}", name(), e.getMessage());
      context.close();
    }
  }

  private void greet(byte kind, ByteBuf frame) throws MalformedFrameException {
    if (kind != FrameKind.HELLO) {
      throw new MalformedFrameException("no handshake");
    }
    Handshake hello = Handshake.read(frame);
    Optional<Objection> forgery = handshakes.forgery(hello, PeerTls.certificate(channel));
    Optional<Objection> objection = forgery.or(() -> handshakes.objection(hello));
    if (objection.isPresent()) {
      String why = objection.get().text();
      log.warn("Rejected {}: {}", hello.speaker(), why);
      FrameFields fields = handshakes.fieldsOf(objection.get(), hello);
      ByteBuf out = writer.begin(fields.marked(FrameKind.REJECTED), 0);
      fields.write(out);
      out.writeCharSequence(why, StandardCharsets.UTF_8);
      writer.end();
      channel.eventLoop().execute(channel::close);
      if (forgery.isEmpty()) {
        // A member that joined in an epoch unknown to this node is rejected too.
        handshakes.noteEpoch(hello);
      }
      return;
    }
    Optional<FenceNotice> fenced = handshakes.enter(hello, this);
    if (fenced.isPresent()) {
      sendFenced(fenced.get());
      return;
    }
    speaker = hello.speaker();
    frames.expectUpTo(FrameReader.BYTES_MAX);
    handshakes.greeting(hello.speaker()).write(writer.begin(FrameKind.WELCOME, 0));
    writer.end();
    onSeen.accept(hello.speaker());
    handshakes.noteEpoch(hello);
  }

  @Override
  public boolean isInbound() {
    return true;
  }

  @Override
  public void fence(FenceNotice notice) {
    cutOff = true;
    channel.eventLoop().execute(() -> sendFenced(notice));
  }

  @Override
  public void cutOff(String why) {
    cutOff = true;
    channel
        .eventLoop()
        .execute(() -> {
          dropOpen();
          channel.close();
        });
  }

  private void sendFenced(FenceNotice notice) {
    if (!channel.isActive()) {
      return;
    }
    // Requests in flight for the process must get no reply any more.
    dropOpen();
    notice.write(writer.begin(FrameKind.FENCED, 0));
    writer.end();
    channel.eventLoop().execute(channel::close);
  }

  private void dropOpen() {
    open.values().forEach(serving -> serving.over = true);
    open.clear();
  }

  private void serve(byte kind, int call, FrameFields fields, ByteBuf frame)
      throws MalformedFrameException {
    long epoch = frame.readLong();
    long timeoutMillis = frame.readUnsignedInt();
    ReplicaRequest request = fields.complete(ReplicaCodec.readRequest(kind, frame));
    Serving serving = new Serving(call, System.nanoTime() + timeoutMillis * 1_000_000);
    if (open.size() >= settings.inFlightMax() || writer.isFull()) {
      serving.reply(OVERLOADED);
    } else {
      replica.handle(request, epoch, channel.eventLoop(), serving);
      if (!serving.over) {
        open.put(call, serving);
      }
    }
  }

  /**
   * Closes the connection of a silent peer. A machine that lost power does not close its
   * connections; a live peer sends heartbeats.
   */
  private void checkIdle() {
    if (!moved) {
      log.info("Closed the connection of {}, which sent no heartbeat for too long", name());
      channel.close();
    }
    moved = false;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    moved = true;
    // Do not read requests of a peer that does not read its replies.
    channel.config().setAutoRead(channel.isWritable());
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (idleCheck != null) {
      idleCheck.cancel(false);
    }
    if (speaker != null) {
      handshakes.leave(speaker, this);
    }
    dropOpen();
    writer.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    log.warn("Closed the connection of {}: {}", name(), cause.toString());
    context.close();
  }

  private String name() {
    return speaker == null ? String.valueOf(channel.remoteAddress()) : speaker.name();
  }

  /** A request of the peer that this node is processing. */
  private final class Serving implements Waiter<ReplicaReply> {
    private final int call;
    private final long deadlineNanos;
    // Written on the connection's loop, read by the store's threads.
    private volatile boolean over;

    Serving(int call, long deadlineNanos) {
      this.call = call;
      this.deadlineNanos = deadlineNanos;
    }

    @Override
    public void reply(ReplicaReply reply) {
      if (!over && !cutOff) {
        over = true;
        open.remove(call);
        ReplicaReply sent = isSmall(reply) || !writer.isFull() ? reply : OVERLOADED;
        FrameFields fields = FrameFields.of(sent);
        ByteBuf out = writer.begin(fields.marked(ReplicaCodec.kindOf(sent)), call);
        fields.write(out);
        ReplicaCodec.write(sent, out);
        writer.end();
      }
    }

    private static boolean isSmall(ReplicaReply reply) {
      return reply instanceof ReplicaReply.WriteReply || reply instanceof ReplicaReply.Failed;
    }

    @Override
    public boolean isWaiting() {
      return !over && deadlineNanos - System.nanoTime() > 0;
    }
  }
}
