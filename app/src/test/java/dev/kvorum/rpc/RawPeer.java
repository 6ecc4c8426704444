package dev.kvorum.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.function.Consumer;

/** One end of a connection that the test writes byte by byte. */
final class RawPeer implements AutoCloseable {
  private final Socket socket;
  private final DataInputStream in;

  RawPeer(Socket socket) throws IOException {
    this.socket = socket;
    socket.setSoTimeout((int) Wire.TIMEOUT.toMillis());
    in = new DataInputStream(socket.getInputStream());
  }

  /** A frame as it came, without its length. */
  record Frame(byte kind, int call, ByteBuf body) {}

  static RawPeer connect(int port) throws IOException {
    return new RawPeer(new Socket(InetAddress.getLoopbackAddress(), port));
  }

  static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  /** Takes a connection and its hello, as {@code b}, and welcomes it. */
  static RawPeer welcome(ServerSocket listening) throws IOException {
    return welcome(listening, Wire.member(Wire.B));
  }

  static RawPeer welcome(ServerSocket listening, LocalMember b) throws IOException {
    RawPeer peer = new RawPeer(listening.accept());
    peer.readFrame();
    peer.send(FrameKind.WELCOME, 0, b.greeting(Wire.A)::write);
    return peer;
  }

  /** Says hello to {@code b}, as {@code a}, and takes the welcome. */
  static RawPeer greet(int port) throws IOException {
    RawPeer peer = connect(port);
    peer.send(FrameKind.HELLO, 0, Wire.member(Wire.A).greeting(Wire.B)::write);
    Frame answer = peer.readFrame();
    if (answer.kind() != FrameKind.WELCOME) {
      throw new AssertionError("kind " + answer.kind());
    }
    return peer;
  }

  /** Sends a handshake to {@code b}, reads the reply, and closes the connection. */
  static byte hello(int port, LocalMember speaker) throws IOException {
    try (RawPeer peer = connect(port)) {
      peer.send(FrameKind.HELLO, 0, speaker.greeting(Wire.B)::write);
      return peer.readFrame().kind();
    }
  }

  void send(byte kind, int call, Consumer<ByteBuf> body) throws IOException {
    ByteBuf out = Unpooled.buffer();
    out.writeInt(0).writeByte(kind).writeInt(call);
    body.accept(out);
    out.setInt(0, out.readableBytes() - 4);
    write(out);
  }

  /** A request as {@code a} sends it. */
  void request(byte kind, int call, long epoch, Consumer<ByteBuf> body) throws IOException {
    send(
        kind,
        call,
        out -> {
          out.writeLong(epoch).writeInt(60_000);
          body.accept(out);
        });
  }

  void write(ByteBuf bytes) throws IOException {
    byte[] copy = new byte[bytes.readableBytes()];
    bytes.readBytes(copy);
    socket.getOutputStream().write(copy);
  }

  Frame readFrame() throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    ByteBuf frame = Unpooled.wrappedBuffer(bytes);
    return new Frame(frame.readByte(), frame.readInt(), frame);
  }

  /** Whether the other side has closed the connection; waits for something to come. */
  boolean isClosedByPeer() throws IOException {
    try {
      return in.read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
