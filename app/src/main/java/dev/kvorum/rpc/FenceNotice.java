package dev.kvorum.rpc;

import io.netty.buffer.ByteBuf;

/**
 * The reason for fencing a process. A node sends it to a process that it rejects because of another
 * process of the same member.
 *
 * @param current the process that the node accepts, or accepted last
 */
public record FenceNotice(Reason reason, ProcessId current) {
  /** Reasons; their numbers are part of the protocol. */
  public enum Reason {
    /**
     * The node has seen a later process on the same data directory, or a process that replaced this
     * one.
     */
    SUPERSEDED(1, "superseded"),
    /** A process with another data directory is connected. */
    DUPLICATE(2, "duplicate");

    private final int number;
    private final String label;

    Reason(int number, String label) {
      this.number = number;
      this.label = label;
    }

    /** This reason as a metric label. */
    public String label() {
      return label;
    }
  }

  void write(ByteBuf out) {
    out.writeByte(reason.number).writeLong(current.incarnation()).writeLong(current.generation());
  }

  static FenceNotice read(ByteBuf in) throws MalformedFrameException {
    int number = in.readUnsignedByte();
    ProcessId current = new ProcessId(in.readLong(), in.readLong());
    for (Reason reason : Reason.values()) {
      if (reason.number == number) {
        return new FenceNotice(reason, current);
      }
    }
    throw new MalformedFrameException("unknown fence reason " + number);
  }

  /** Text for the logs of both sides. */
  String text() {
    return switch (reason) {
      case SUPERSEDED -> "superseded: process " + current + " of the same member was seen later";
      case DUPLICATE ->
          "duplicate: process " + current + " of the same member, with other data, is connected";
    };
  }
}
