package dev.kvorum;

import dev.kvorum.coordinator.Coordinator;
import dev.kvorum.replica.NettyTransport;
import dev.kvorum.replica.Replicas;
import io.netty.channel.EventLoop;
import java.util.concurrent.TimeUnit;

/** What belongs to one event loop: its connections to the peers, its replicas, its coordinator. */
record Lane(EventLoop loop, NettyTransport transport, Replicas replicas, Coordinator coordinator) {
  // How late a timeout or a heartbeat may be.
  private static final long TICK_MILLIS = 10;

  void start() {
    loop.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick() {
    transport.tick();
    replicas.sweep();
  }
}
