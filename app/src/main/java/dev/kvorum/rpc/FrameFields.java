package dev.kvorum.rpc;

import dev.kvorum.replica.ReplicaReply;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.replica.TransferReply;
import dev.kvorum.topology.Feature;
import dev.kvorum.tracing.TraceContext;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Optional fields of a frame, between its call number and its body: their length in bytes (2) and
 * {@link TaggedFields}. A bit of the frame's kind says whether there are any, so a frame without
 * them has not a byte more.
 *
 * @param trace the trace to which the request belongs
 * @param release the release of a node that rejects a handshake for its protocol
 * @param features names of those that a rejected node lacks, or that a topology in the body has
 */
record FrameFields(@Nullable TraceContext trace, @Nullable Release release, List<String> features) {
  static final FrameFields NONE = new FrameFields(null, null, List.of());

  /** First version of the protocol whose nodes read fields. */
  private static final int PROTOCOL = 4;

  private static final int PRESENT = 0x40;
  private static final int TRACE = 1;
  private static final int RELEASE = 2;
  private static final int FEATURES = 3;

  /** Returns the fields of a request. A peer of an older protocol gets none. */
  static FrameFields of(ReplicaRequest request, int protocol) {
    return protocol >= PROTOCOL && request instanceof ReplicaRequest.Traced traced
        ? new FrameFields(traced.parent(), null, List.of())
        : NONE;
  }

  /**
   * Returns the fields of a reply. A peer that lacks a feature does not get this far: it is cut off
   * before this node has the topology that lists the feature.
   */
  static FrameFields of(ReplicaReply reply) {
    return reply instanceof TransferReply.Known known && !known.topology().features().isEmpty()
        ? new FrameFields(null, null, Feature.labels(known.topology().features()))
        : NONE;
  }

  /**
   * Returns the fields of a rejection that {@code here} sends to {@code peer}.
   *
   * @param required features that all peers must have
   */
  static FrameFields of(Objection objection, Release here, Release peer, Set<Feature> required) {
    if (peer.protocols().max() < PROTOCOL) {
      return NONE;
    }
    return switch (objection.reason()) {
      case PROTOCOL -> new FrameFields(null, here, List.of());
      case FEATURE -> new FrameFields(null, here, Feature.labels(peer.lacking(required)));
      default -> NONE;
    };
  }

  boolean isEmpty() {
    return trace == null && release == null && features.isEmpty();
  }

  /** Returns the kind as it is sent in a frame with these fields. */
  byte marked(byte kind) {
    return (byte) (isEmpty() ? kind : kind | PRESENT);
  }

  /** Returns the kind of a frame, from its first byte. */
  static byte kind(byte marked) {
    return (byte) (marked & ~PRESENT);
  }

  void write(ByteBuf out) {
    if (isEmpty()) {
      return;
    }
    out.writeShort(0);
    int start = out.writerIndex();
    if (trace != null) {
      TaggedFields.write(
          TRACE,
          out,
          field ->
              field
                  .writeLong(trace.traceIdHigh())
                  .writeLong(trace.traceIdLow())
                  .writeLong(trace.spanId()));
    }
    if (release != null) {
      TaggedFields.write(
          RELEASE,
          out,
          field ->
              field
                  .writeInt(release.protocols().min())
                  .writeInt(release.protocols().max())
                  .writeCharSequence(release.version(), StandardCharsets.UTF_8));
    }
    if (!features.isEmpty()) {
      TaggedFields.write(FEATURES, String.join(",", features), out);
    }
    out.setShort(start - Short.BYTES, out.writerIndex() - start);
  }

  /** Reads the fields of a frame whose first byte is {@code marked}. */
  static FrameFields read(byte marked, ByteBuf in) throws MalformedFrameException {
    if ((marked & PRESENT) == 0) {
      return NONE;
    }
    Reader reader = new Reader();
    try {
      TaggedFields.read(in.readSlice(in.readUnsignedShort()), reader);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new MalformedFrameException("bad fields: " + e.getMessage());
    }
    return new FrameFields(reader.trace, reader.release, reader.features);
  }

  private static final class Reader implements TaggedFields.Visitor {
    private @Nullable TraceContext trace;
    private @Nullable Release release;
    private List<String> features = List.of();

    @Override
    public void field(int tag, ByteBuf in) {
      switch (tag) {
        case TRACE -> trace = new TraceContext(in.readLong(), in.readLong(), in.readLong(), true);
        case RELEASE -> {
          ProtocolRange protocols = new ProtocolRange(in.readInt(), in.readInt());
          release = new Release(in.toString(StandardCharsets.UTF_8), protocols);
        }
        case FEATURES -> features = Feature.split(in.toString(StandardCharsets.UTF_8));
        default -> {}
      }
    }
  }

  /** Returns the request of a frame with these fields. */
  ReplicaRequest complete(ReplicaRequest request) throws MalformedFrameException {
    if (trace != null && request instanceof ReplicaRequest.Traced) {
      throw new MalformedFrameException("a trace within a trace");
    }
    return request.within(trace);
  }

  /** Returns the reply of a frame with these fields. */
  ReplicaReply complete(ReplicaReply reply) throws MalformedFrameException {
    if (features.isEmpty() || !(reply instanceof TransferReply.Known known)) {
      return reply;
    }
    try {
      return new TransferReply.Known(known.topology().with(Feature.of(features)));
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException(String.valueOf(e.getMessage()));
    }
  }
}
