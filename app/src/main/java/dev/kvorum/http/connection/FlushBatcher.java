package dev.kvorum.http.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.util.concurrent.FastThreadLocal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import reactor.netty.http.server.HttpServer;

/**
 * Sends the answers of all connections of a loop together, at the end of the loop's turn. Sending
 * an answer wakes its client; where clients share the processor, each would take it away from the
 * answers that are still to be made.
 */
public final class FlushBatcher implements NettyServerCustomizer {
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
    // Called on the channel's own loop.
    return server.doOnChannelInit((observer, channel, address) ->
        channel.pipeline().addFirst(NAME, new Postponed(turn.get())));
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
