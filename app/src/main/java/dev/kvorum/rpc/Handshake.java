package dev.kvorum.rpc;

import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * First frame of either side of a connection: the sender, the intended receiver, and their cluster.
 * A connection to a reused address can therefore not reach the wrong node.
 *
 * @param release the speaker's release
 * @param clusterId id of the cluster
 * @param speaker the member that sends this
 * @param listener the member that it intends to reach
 * @param process process of the speaker
 * @param epoch epoch of the speaker's topology
 * @param members names in the speaker's topology
 * @param loops number of connections that the speaker makes to each peer
 */
record Handshake(
    Release release,
    String clusterId,
    MemberId speaker,
    MemberId listener,
    ProcessId process,
    long epoch,
    String members,
    int loops) {

  private static final int PROTOCOL_WITH_GENERATION = 2;

  // Tags of fields, since protocol 4. A node of protocol 3 ignores all of them.
  private static final int PROTOCOL_MAX = 1;
  private static final int VERSION = 2;
  private static final int FEATURES = 3;

  /** First bytes of a handshake, so that another protocol on the port is detected at once. */
  private static final int MAGIC = 0x4b564f52;

  static Handshake of(LocalMember self, MemberId listener) {
    Topology topology = self.topology().get();
    return new Handshake(
        self.release(),
        topology.clusterId(),
        self.id(),
        listener,
        self.process(),
        topology.epoch(),
        topology.names(),
        self.loops());
  }

  /** Returns whether the speaker belongs to the same cluster and has a newer topology. */
  boolean isNewerThan(Topology topology) {
    return clusterId.equals(topology.clusterId()) && epoch > topology.epoch();
  }

  void write(ByteBuf out) {
    // A node of protocol 3 or older expects its own version here.
    out.writeInt(MAGIC).writeInt(release.protocols().min());
    writeText(clusterId, out);
    writeText(speaker.name(), out);
    writeText(listener.name(), out);
    out.writeLong(process.incarnation()).writeLong(epoch);
    writeText(members, out);
    // These follow the fields of protocol 1, so that a node of protocol 1 can still read the
    // version.
    out.writeLong(process.generation()).writeInt(loops);
    TaggedFields.write(PROTOCOL_MAX, out, field -> field.writeInt(release.protocols().max()));
    TaggedFields.write(VERSION, release.version(), out);
    if (!release.features().isEmpty()) {
      TaggedFields.write(FEATURES, Feature.names(release.features()), out);
    }
  }

  static Handshake read(ByteBuf in) throws MalformedFrameException {
    try {
      if (in.readInt() != MAGIC) {
        throw new MalformedFrameException("not a Kvorum node");
      }
      int protocol = in.readInt();
      String clusterId = readText(in);
      MemberId speaker = new MemberId(readText(in));
      MemberId listener = new MemberId(readText(in));
      long incarnation = in.readLong();
      long epoch = in.readLong();
      String members = readText(in);
      boolean old = protocol < PROTOCOL_WITH_GENERATION;
      ProcessId process = new ProcessId(incarnation, old ? 0 : in.readLong());
      int loops = old ? 1 : in.readInt();
      Release release = readRelease(protocol, in);
      return new Handshake(release, clusterId, speaker, listener, process, epoch, members, loops);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new MalformedFrameException("bad handshake: " + e.getMessage());
    }
  }

  private static Release readRelease(int protocolMin, ByteBuf in) {
    int[] max = {protocolMin};
    String[] version = {""};
    List<String> features = new ArrayList<>();
    TaggedFields.read(
        in,
        (tag, content) -> {
          switch (tag) {
            case PROTOCOL_MAX -> max[0] = content.readInt();
            case VERSION -> version[0] = content.toString(StandardCharsets.UTF_8);
            case FEATURES ->
                features.addAll(Feature.split(content.toString(StandardCharsets.UTF_8)));
            default -> {}
          }
        });
    return new Release(version[0], new ProtocolRange(protocolMin, max[0]), Feature.known(features));
  }

  private static void writeText(String text, ByteBuf out) {
    out.writeShort(ByteBufUtil.utf8Bytes(text)).writeCharSequence(text, StandardCharsets.UTF_8);
  }

  private static String readText(ByteBuf in) {
    return in.readString(in.readUnsignedShort(), StandardCharsets.UTF_8);
  }
}
