package dev.kvorum.simulation.network;

import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.FenceNotice;
import dev.kvorum.rpc.ProcessRegistry;
import dev.kvorum.rpc.WireDoor;
import dev.kvorum.topology.MemberId;
import org.jspecify.annotations.Nullable;

/** A connection to a peer, as the process has it that makes it. */
public final class SimConnection implements ProcessRegistry.Link {
  private final SimPeer peer;
  private final SimTransport maker;
  private final MemberId id;
  // The process that took it.
  private @Nullable SimServer server;
  // From then on nothing is sent, and no answer counts.
  private boolean cutOff;

  SimConnection(SimPeer peer, SimTransport maker, MemberId id) {
    this.peer = peer;
    this.maker = maker;
    this.id = id;
  }

  /** Whether it is being made. */
  boolean isDialled() {
    return server == null && peer.has(this) && !maker.loop().isDead();
  }

  /** Which lane of either process has it. */
  public int loopContext() {
    return maker.loopContext();
  }

  boolean isOf(SimTransport process) {
    return maker == process;
  }

  void takenBy(SimServer taker) {
    server = taker;
  }

  boolean isTaken() {
    return server != null;
  }

  boolean isTakenBy(SimServer process) {
    return server == process;
  }

  /** Whether a request may be sent. */
  boolean takes(ReplicaRequest request) {
    return !cutOff && maker.handshakes().canRead(id, request);
  }

  boolean isCutOff() {
    return cutOff;
  }

  /** Where the other end is now. */
  MemberId address() {
    return server == null ? id : server.address();
  }

  /** The peer takes it. */
  void welcome(byte[] answer) {
    peer.ready(this, answer);
  }

  /** The peer takes this node for a wrong one. */
  void rejected() {
    peer.lost(this);
  }

  /** The peer rejects this process. */
  void rejected(FenceNotice notice) {
    // What comes twice or late is of a connection that is closed.
    if (peer.has(this)) {
      WireDoor.rejected(maker.handshakes(), id, notice);
      peer.lost(this);
    }
  }

  /** Brings something from the process at the other end. */
  void fromServer(MemberId address, String what, Runnable delivery) {
    maker.fromServer(address, what, delivery);
  }

  @Override
  public boolean isInbound() {
    return false;
  }

  @Override
  public void fence(FenceNotice notice) {
    cutOff = true;
    maker.loop().execute(() -> peer.sendFenced(this, notice));
  }

  @Override
  public void cutOff(String why) {
    cutOff = true;
    maker.loop().execute(() -> peer.lost(this));
  }
}
