package dev.kvorum.benchmark;

import dev.kvorum.data.Key;
import dev.kvorum.storage.ReadResult;
import dev.kvorum.storage.Store;
import dev.kvorum.storage.Store.Detail;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpHeaderNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** The hop over HTTP/1.1: a pool with a connection for each request that may be under way. */
final class HttpHop implements HopBenchmark.Hop {
  private static final String PATH = "/v0/entity?id=";

  private final LoopResources serverLoop = LoopResources.create("hop-server", 1, true);
  private final LoopResources clientLoop = LoopResources.create("hop-client", 1, true);
  private final EventLoop loop;
  private final ConnectionProvider pool;
  private final DisposableServer server;
  private final HttpClient client;
  private final Store store;
  private final String[] uris;

  HttpHop(Store store, Key[] keys, int underWay) {
    this.store = store;
    uris = new String[keys.length];
    for (int i = 0; i < keys.length; i++) {
      uris[i] = PATH + keys[i];
    }
    EventLoopGroup group = clientLoop.onClient(true);
    loop = (EventLoop) group.iterator().next();
    server =
        HttpServer.create()
            .runOn(serverLoop)
            .bindAddress(() -> new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
            .handle(this::answer)
            .bindNow();
    pool =
        ConnectionProvider.builder("hop")
            .maxConnections(underWay)
            .pendingAcquireMaxCount(-1)
            .build();
    client = HttpClient.create(pool).runOn(clientLoop).remoteAddress(server::address);
  }

  private Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
    Key key = Key.of(request.uri().substring(PATH.length()));
    Mono<ReadResult> looked =
        Mono.create(sink -> store.read(key, Detail.RECORD, Runnable::run, sink::success));
    return looked.flatMap(lookup ->
        lookup instanceof ReadResult.Found found
            ? Mono.from(
                response
                    .header(
                        HttpHeaderNames.CONTENT_LENGTH,
                        Integer.toString(found.record().value().length))
                    .sendObject(Unpooled.wrappedBuffer(found.record().value())))
            : response.status(404).send());
  }

  @Override
  public void execute(Runnable work) {
    loop.execute(work);
  }

  @Override
  public void read(int key, HopBenchmark.Answer answer) {
    client
        .get()
        .uri(uris[key])
        .responseSingle((response, body) -> body.asByteArray())
        .subscribe(bytes -> answer.of(bytes.length), failure -> answer.of(-1));
  }

  @Override
  public void close() {
    server.disposeNow();
    pool.dispose();
    clientLoop.dispose();
    serverLoop.dispose();
  }
}
