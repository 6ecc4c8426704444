package dev.kvorum.rpc;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** How many bytes a conversation takes between nodes, and what is left of it behind the codec. */
public final class FrameBytes {
  private static final int HEAD_BYTES = 9;
  private static final int DEADLINE_AND_EPOCH_BYTES = 12;

  private FrameBytes() {}

  /** Bytes of a request's frame. */
  public static int of(ReplicaRequest request) {
    ByteBuf out = Unpooled.buffer();
    ReplicaCodec.write(request, out);
    return HEAD_BYTES + DEADLINE_AND_EPOCH_BYTES + out.readableBytes();
  }

  /** Bytes of a reply's frame. */
  public static int of(ReplicaReply reply) {
    ByteBuf out = Unpooled.buffer();
    ReplicaCodec.write(reply, out);
    return HEAD_BYTES + out.readableBytes();
  }

  /** The request as it arrives. */
  public static ReplicaRequest carried(ReplicaRequest request) {
    ByteBuf out = Unpooled.buffer();
    ReplicaCodec.write(request, out);
    try {
      return ReplicaCodec.readRequest(ReplicaCodec.kindOf(request), out);
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }

  /** The reply as it arrives. */
  public static ReplicaReply carried(ReplicaReply reply) {
    ByteBuf out = Unpooled.buffer();
    ReplicaCodec.write(reply, out);
    try {
      return ReplicaCodec.readReply(ReplicaCodec.kindOf(reply), out);
    } catch (MalformedFrameException e) {
      throw new AssertionError(e);
    }
  }
}
