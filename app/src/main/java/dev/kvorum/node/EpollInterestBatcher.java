package dev.kvorum.node;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes what epoll waits for once a turn of an event loop, and only where it differs from what it
 * waited for before. Reactor Netty stops reading when a request begins and goes on when all of it
 * is read, mostly in the same turn: two system calls a request that change nothing.
 *
 * <p>Confined to the event loop.
 */
final class EpollInterestBatcher implements IoHandler {
  private static final Logger log = LoggerFactory.getLogger(EpollInterestBatcher.class);

  private final IoHandler epoll;
  private final ThreadAwareExecutor loop;
  private final Deque<Registration> changed = new ArrayDeque<>();

  EpollInterestBatcher(IoHandler epoll, ThreadAwareExecutor loop) {
    this.epoll = epoll;
    this.loop = loop;
  }

  static IoHandlerFactory newFactory() {
    IoHandlerFactory epoll = EpollIoHandler.newFactory();
    return loop -> new EpollInterestBatcher(epoll.newHandler(loop), loop);
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    Registration next = changed.poll();
    while (next != null) {
      next.submitChange();
      next = changed.poll();
    }
    return epoll.run(context);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new Registration(handle, epoll.register(handle));
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  private final class Registration implements IoRegistration {
    private final IoHandle handle;
    private final IoRegistration registered;
    private @Nullable EpollIoOps submitted;
    private @Nullable EpollIoOps wanted;
    private boolean isListed;

    Registration(IoHandle handle, IoRegistration registered) {
      this.handle = handle;
      this.registered = registered;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // Netty's signature
    public <T> T attachment() {
      return registered.attachment();
    }

    @Override
    public long submit(IoOps ops) {
      assert loop.isExecutorThread(Thread.currentThread());
      if (!isValid()) {
        return -1;
      }
      wanted = (EpollIoOps) ops;
      if (!isListed) {
        isListed = true;
        changed.add(this);
      }
      return wanted.value();
    }

    void submitChange() {
      isListed = false;
      EpollIoOps ops = wanted;
      if (ops == null || ops.equals(submitted) || !isValid()) {
        return;
      }
      try {
        registered.submit(ops);
        submitted = ops;
      } catch (RuntimeException e) {
        log.debug("A connection is closed because epoll does not wait for it", e);
        close();
      }
    }

    private void close() {
      try {
        handle.close();
      } catch (Exception e) {
        log.debug("Cannot close a connection", e);
      }
    }

    @Override
    public boolean isValid() {
      return registered.isValid();
    }

    @Override
    public boolean cancel() {
      return registered.cancel();
    }
  }
}
