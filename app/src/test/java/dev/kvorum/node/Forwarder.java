package dev.kvorum.node;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A port of this machine that leads to another one, once it is opened. */
final class Forwarder implements Closeable {
  private final int port;
  private final int to;
  private final List<Closeable> sockets = new CopyOnWriteArrayList<>();

  Forwarder(int port, int to) {
    this.port = port;
    this.to = to;
  }

  /** From now on connections are taken on. */
  void open() throws IOException {
    ServerSocket listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
    sockets.add(listening);
    Thread.ofVirtual().start(() -> forwardAll(listening));
  }

  private void forwardAll(ServerSocket listening) {
    try {
      while (true) {
        Socket near = listening.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), to);
        sockets.addAll(List.of(near, far));
        Thread.ofVirtual().start(() -> copy(near, far));
        Thread.ofVirtual().start(() -> copy(far, near));
      }
    } catch (IOException e) {
      // Closed by the test.
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
      to.close();
    } catch (IOException e) {
      // One of the two ends is closed, and with it the other.
    }
  }

  @Override
  public void close() throws IOException {
    for (Closeable socket : sockets) {
      socket.close();
    }
  }
}
