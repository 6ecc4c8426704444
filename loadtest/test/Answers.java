import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A server for the tests of the load scripts: of each 20 requests it rejects one with 503, one with
 * 504, and of GETs it does not find one. It prints its port and runs until its input ends.
 */
public final class Answers {
  private static final byte[] VALUE = new byte[100];

  private final AtomicLong requests = new AtomicLong();

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      boolean put = exchange.getRequestMethod().equals("PUT");
      int status =
          switch ((int) (requests.getAndIncrement() % 20)) {
            case 3 -> 503;
            case 7 -> 504;
            case 11 -> put ? 201 : 404;
            default -> put ? 201 : 200;
          };
      exchange.sendResponseHeaders(status, status == 200 ? VALUE.length : -1);
      if (status == 200) {
        exchange.getResponseBody().write(VALUE);
      }
    }
  }

  public static void main(String[] arguments) throws IOException {
    System.setProperty("sun.net.httpserver.nodelay", "true");
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 64);
    server.setExecutor(Executors.newFixedThreadPool(4));
    server.createContext("/", new Answers()::answer);
    server.start();
    System.out.println(server.getAddress().getPort());
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
