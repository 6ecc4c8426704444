package dev.kvorum.rpc;

import io.netty.buffer.ByteBuf;

/**
 * Why a process is fenced: what a node sends to a process that it rejects because there is another
 * process of the same member.
 *
 * @param current the process that the node is connected to, or was since
 */
public record FenceNotice(Reason reason, ProcessId current) {
  /** Reasons, under numbers that are part of the protocol. */
  public enum Reason {
    /** A later process on the same data directory, or one that has taken its place, was seen. */
    SUPERSEDED(1, "superseded"),
    /** A process with another data directory is connected. */
    DUPLICATE(2, "duplicate");

    private final int number;
    private final String label;

    Reason(int number, String label) {
      this.number = number;
      this.label = label;
    }

    /** This reason in metrics. */
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

  /** For the log of either side. */
  String text() {
    return switch (reason) {
      case SUPERSEDED -> "superseded: process " + current + " of the same member was seen later";
      case DUPLICATE ->
          "duplicate: process " + current + " of the same member, with other data, is connected";
    };
  }
}
