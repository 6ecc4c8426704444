package dev.kvorum.rpc;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * First frame of either side of a connection: the sender, the intended receiver, and their cluster.
 * A connection to a reused address can therefore not reach the wrong node.
 *
 * @param protocol version of the frames' layout
 * @param clusterId id of the cluster
 * @param speaker the member that sends this
 * @param listener the member that it intends to reach
 * @param process process of the speaker
 * @param epoch epoch of the speaker's topology
 * @param members names in the speaker's topology
 * @param loops number of connections that the speaker makes to each peer
 */
record Handshake(
    int protocol,
    String clusterId,
    MemberId speaker,
    MemberId listener,
    ProcessId process,
    long epoch,
    String members,
    int loops) {

  /**
   * The protocol version of this code. Version 2 added the generation and the number of event
   * loops, version 3 the checksums of records.
   */
  static final int PROTOCOL = 3;

  private static final int PROTOCOL_WITH_GENERATION = 2;

  /** First bytes of a handshake, so that another protocol on the port is detected at once. */
  private static final int MAGIC = 0x4b564f52;

  static Handshake of(LocalMember self, MemberId listener) {
    Topology topology = self.topology().get();
    return new Handshake(
        PROTOCOL,
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

  /** Why this node must reject the sender, or empty. */
  Optional<String> objection(LocalMember here) {
    Topology topology = here.topology().get();
    MemberId self = here.id();
    if (protocol != PROTOCOL) {
      return Optional.of("protocol " + protocol + ", this node uses " + PROTOCOL);
    }
    if (!clusterId.equals(topology.clusterId())) {
      return Optional.of(
          "cluster '" + clusterId + "', this node belongs to '" + topology.clusterId() + "'");
    }
    if (!listener.equals(self)) {
      return Optional.of("it expects " + listener + ", this node is " + self);
    }
    if (topology.member(speaker).isEmpty()) {
      return Optional.of("it is not a member of " + topology.names());
    }
    if (epoch == topology.epoch() && !members.equals(topology.names())) {
      return Optional.of("its members are " + members + ", here they are " + topology.names());
    }
    if (speaker.writer(process.incarnation()) == self.writer(here.incarnation())) {
      return Optional.of(
          "its versions could not be distinguished from those of this node; give one of the two"
              + " an empty data directory");
    }
    return Optional.empty();
  }

  void write(ByteBuf out) {
    out.writeInt(MAGIC).writeInt(protocol);
    writeText(clusterId, out);
    writeText(speaker.name(), out);
    writeText(listener.name(), out);
    out.writeLong(process.incarnation()).writeLong(epoch);
    writeText(members, out);
    // These follow the fields of protocol 1, so that a node of protocol 1 can still read the
    // version.
    out.writeLong(process.generation()).writeInt(loops);
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
      return new Handshake(protocol, clusterId, speaker, listener, process, epoch, members, loops);
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw new MalformedFrameException("bad handshake: " + e.getMessage());
    }
  }

  private static void writeText(String text, ByteBuf out) {
    out.writeShort(ByteBufUtil.utf8Bytes(text)).writeCharSequence(text, StandardCharsets.UTF_8);
  }

  private static String readText(ByteBuf in) {
    return in.readString(in.readUnsignedShort(), StandardCharsets.UTF_8);
  }
}
