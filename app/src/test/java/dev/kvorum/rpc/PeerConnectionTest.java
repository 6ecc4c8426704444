package dev.kvorum.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kvorum.data.Key;
import dev.kvorum.data.Mutation;
import dev.kvorum.data.RejectReason;
import dev.kvorum.data.Version;
import dev.kvorum.data.Versioned;
import dev.kvorum.metrics.Meters;
import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.Transport;
import dev.kvorum.storage.Waiter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledDirectByteBuf;
import io.netty.buffer.UnpooledHeapByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PeerConnectionTest {
  private static final int IN_FLIGHT_MAX = 3;
  private static final ReplicaReply OVERLOADED = new ReplicaReply.Failed(RejectReason.OVERLOADED);
  private static final ReplicaRequest LARGE =
      new ReplicaRequest.Write(
          new Mutation(
              Key.of("k"),
              Versioned.live(new Version(1, 1), Versioned.NEVER, 1, new byte[64 << 10])));

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Memory memory = new Memory();
  private final List<ReplicaReply> replies = new ArrayList<>();
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final PeerConnection connection;

  PeerConnectionTest() {
    RpcSettings settings = Wire.settings(IN_FLIGHT_MAX, 1 << 20);
    connection =
        new PeerConnection(
            Wire.handshakes(Wire.member(Wire.A)),
            Wire.B,
            settings,
            Wire.outbound(settings),
            new Meters(registry).rpc().open("b"),
            new Deaf());
    channel.config().setAllocator(memory);
    channel.pipeline().addLast(connection);
    channel.pipeline().fireChannelActive();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  /** Memory that can come to its end. */
  private static final class Memory extends AbstractByteBufAllocator {
    private boolean over;

    @Override
    public boolean isDirectBufferPooled() {
      return false;
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
      return new UnpooledHeapByteBuf(this, initialCapacity, maxCapacity);
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
      return new Bounded(this, initialCapacity, maxCapacity);
    }

    private final class Bounded extends UnpooledDirectByteBuf {
      Bounded(ByteBufAllocator allocator, int initialCapacity, int maxCapacity) {
        super(allocator, initialCapacity, maxCapacity);
      }

      @Override
      public ByteBuf capacity(int newCapacity) {
        if (over) {
          throw new OutOfMemoryError("no direct memory, in a test");
        }
        return super.capacity(newCapacity);
      }
    }
  }

  private static final class Deaf implements PeerConnectionOwner {
    @Override
    public void ready(PeerConnection connection) {}

    @Override
    public void closed(PeerConnection connection, String why) {}

    @Override
    public void received() {}

    @Override
    public void readTook(long nanos) {}

    @Override
    public void onPeerTime(RemoteClockMonitor.Asked asked, long peerMillis) {}
  }

  private Transport.Call ask(ReplicaRequest request) {
    Waiter<ReplicaReply> waiter = replies::add;
    return connection.ask(request, 1, 1000, waiter);
  }

  private double inFlight() {
    return registry.get("kvorum.rpc.in.flight").gauge().value();
  }

  private long answered() {
    return registry.get("kvorum.rpc.requests").timer().count();
  }

  private double failures(RejectReason reason) {
    return registry.get("kvorum.rpc.failures").tag("reason", reason.label()).counter().count();
  }

  @Test
  void whatThereIsNoMemoryForIsRejectedAndHoldsNoPlace() {
    memory.over = true;
    for (int i = 0; i < IN_FLIGHT_MAX; i++) {
      ask(LARGE);
    }
    assertThat(replies).containsOnly(OVERLOADED).hasSize(IN_FLIGHT_MAX);
    assertThat(failures(RejectReason.OVERLOADED)).isEqualTo(IN_FLIGHT_MAX);

    memory.over = false;
    for (int i = 0; i < IN_FLIGHT_MAX; i++) {
      ask(Wire.read("k"));
    }
    assertThat(replies).as("all of them are under way").hasSize(IN_FLIGHT_MAX);
    assertThat(inFlight()).isEqualTo(IN_FLIGHT_MAX);
  }

  @Test
  void countsHowItsRequestsEnd() {
    ask(Wire.read("cancelled")).cancel();
    assertThat(inFlight()).isZero();
    assertThat(answered()).isZero();

    Transport.Call late = ask(Wire.read("late"));
    late.expire();
    late.expire();
    assertThat(inFlight()).isZero();
    assertThat(failures(RejectReason.TIMED_OUT)).isEqualTo(1);

    ask(Wire.read("lost"));
    channel.close();
    assertThat(inFlight()).isZero();
    assertThat(failures(RejectReason.UNREACHABLE)).isEqualTo(1);
    assertThat(answered()).isEqualTo(2);
    assertThat(replies).containsExactly(new ReplicaReply.Failed(RejectReason.UNREACHABLE));
  }
}
