package dev.kvorum.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEvent;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ImmediateEventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EpollInterestBatcherTest {
  private static final EpollIoOps IN = EpollIoOps.EPOLLIN;
  private static final EpollIoOps NONE = EpollIoOps.NONE;

  private final Epoll epoll = new Epoll();
  private final EpollInterestBatcher batcher =
      new EpollInterestBatcher(epoll, ImmediateEventExecutor.INSTANCE);
  private final Connection connection = new Connection();
  private IoRegistration registration;

  /** What the kernel was told, and what it was told when it was asked for events. */
  private static final class Epoll implements IoHandler {
    final List<IoOps> submitted = new ArrayList<>();
    final List<Integer> runs = new ArrayList<>();
    final List<IoHandle> failing = new ArrayList<>();

    @Override
    public int run(IoHandlerContext context) {
      runs.add(submitted.size());
      return 0;
    }

    @Override
    public IoRegistration register(IoHandle handle) {
      return new IoRegistration() {
        private boolean isCancelled;

        @Override
        @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature
        public <T> T attachment() {
          throw new AssertionError();
        }

        @Override
        public long submit(IoOps ops) {
          if (failing.contains(handle)) {
            throw new IllegalStateException("fails");
          }
          submitted.add(ops);
          return 0;
        }

        @Override
        public boolean isValid() {
          return !isCancelled;
        }

        @Override
        public boolean cancel() {
          isCancelled = true;
          return true;
        }
      };
    }

    @Override
    public void wakeup() {}

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
      return true;
    }
  }

  private static final class Connection implements IoHandle {
    boolean isClosed;

    @Override
    public void handle(IoRegistration registration, IoEvent event) {}

    @Override
    public void close() {
      isClosed = true;
    }
  }

  private int run() {
    return batcher.run(
        new IoHandlerContext() {
          @Override
          public boolean canBlock() {
            return true;
          }

          @Override
          public long delayNanos(long now) {
            return 0;
          }

          @Override
          public long deadlineNanos() {
            return 0;
          }
        });
  }

  @BeforeEach
  void register() throws Exception {
    registration = batcher.register(connection);
  }

  @Test
  void submitsTheLastChangeOfATurnBeforeEventsAreAskedFor() {
    registration.submit(NONE);
    registration.submit(IN);
    assertThat(epoll.submitted).isEmpty();
    run();
    assertThat(epoll.submitted).containsExactly(IN);
    assertThat(epoll.runs).containsExactly(1);
  }

  @Test
  void submitsNothingThatEndsAsItWas() {
    registration.submit(IN);
    run();
    registration.submit(NONE);
    registration.submit(IN);
    run();
    assertThat(epoll.submitted).containsExactly(IN);
    registration.submit(NONE);
    run();
    assertThat(epoll.submitted).containsExactly(IN, NONE);
  }

  @Test
  void submitsNothingOfAClosedConnection() {
    registration.submit(IN);
    registration.cancel();
    run();
    assertThat(registration.submit(IN)).isEqualTo(-1);
    run();
    assertThat(epoll.submitted).isEmpty();
  }

  @Test
  void closesAConnectionThatCannotBeWaitedForAndSubmitsTheOthers() throws Exception {
    Connection other = new Connection();
    epoll.failing.add(connection);
    registration.submit(IN);
    batcher.register(other).submit(NONE);
    run();
    assertThat(connection.isClosed).isTrue();
    assertThat(other.isClosed).isFalse();
    assertThat(epoll.submitted).containsExactly(NONE);
  }
}
