package dev.kvorum.http.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.core.Ordered;
import reactor.netty.http.server.HttpServer;

/**
 * Flushes the responses of all connections of an event loop together, at the end of the loop's
 * turn. A flush wakes the client. Where clients share the processor, each wake-up would take it
 * from responses that are still to be written.
 */
public final class FlushBatcher implements NettyServerCustomizer, Ordered {
  private static final String NAME = "kvorum.flushPerTurn";

  private final FastThreadLocal<Turn> turn =
      new FastThreadLocal<>() {
        @Override
        protected Turn initialValue() {
          return new Turn();
        }
      };

  @Override
  public HttpServer apply(HttpServer server) {
    // Runs on the channel's own event loop.
    return server.doOnChannelInit((observer, channel, address) ->
        channel.pipeline().addFirst(NAME, new Postponed(turn.get())));
  }

  /** Before that of TLS, which has to come first in the pipeline. */
  @Override
  public int getOrder() {
    return LOWEST_PRECEDENCE - 1;
  }

  private static final class Postponed extends ChannelOutboundHandlerAdapter {
    private final Turn turn;

    Postponed(Turn turn) {
      this.turn = turn;
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      turn.contexts.add(context);
      if (turn.contexts.size() == 1) {
        context.channel().eventLoop().execute(turn);
      }
    }
  }

  private static final class Turn implements Runnable {
    private List<ChannelHandlerContext> contexts = new ArrayList<>();
    private List<ChannelHandlerContext> spare = new ArrayList<>();

    @Override
    public void run() {
      List<ChannelHandlerContext> due = contexts;
      contexts = spare;
      spare = due;
      for (ChannelHandlerContext context : due) {
        context.flush();
      }
      due.clear();
    }
  }
}
