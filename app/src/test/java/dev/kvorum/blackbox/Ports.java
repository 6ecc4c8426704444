package dev.kvorum.blackbox;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that no process listens on, below those that systems give to outgoing connections. */
final class Ports {
  private static final Set<Integer> TAKEN = ConcurrentHashMap.newKeySet();

  private Ports() {}

  static int free() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
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
