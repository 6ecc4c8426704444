package dev.kvorum.blackbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that no process listens on, below those that systems give to outgoing connections. Each
 * process that runs tests has a range of its own: until a node listens on its port, another process
 * would find it free as well.
 */
final class Ports {
  private static final int LOWEST = 12_000;
  private static final int EACH = 5_000;
  private static final int RANGES = 4;
  private static final int FIRST = LOWEST + EACH * (Integer.getInteger("test.fork", 1) % RANGES);
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST + EACH);
      if (TAKEN.add(port) && isFree(port)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
