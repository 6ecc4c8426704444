package dev.kvorum.node;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.netty.resources.LoopResources;

/**
 * The node's event loops. HTTP and RPC share one group, so that a request, its quorum and its
 * connections to peers share a thread.
 */
public final class EventLoops implements LoopResources {
  private final EventLoopGroup group;

  EventLoops(int count) {
    IoHandlerFactory io =
        Epoll.isAvailable() ? EpollInterestBatcher.newFactory() : NioIoHandler.newFactory();
    group = new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory("kvorum-loop"), io);
  }

  EventLoopGroup group() {
    return group;
  }

  List<EventLoop> all() {
    List<EventLoop> loops = new ArrayList<>();
    for (EventExecutor loop : group) {
      loops.add((EventLoop) loop);
    }
    return loops;
  }

  Class<? extends Channel> socketType() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  Class<? extends ServerSocketChannel> serverType() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  @Override
  public EventLoopGroup onServer(boolean useNative) {
    return group;
  }

  /** Stops the loops and waits for them, for some seconds at most. Blocks. */
  void close() {
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
  }
}
