package dev.kvorum.rpc;

import dev.kvorum.replica.RecordFeatures;
import dev.kvorum.replica.ReplicaRequest;
import dev.kvorum.rpc.Objection.Reason;
import dev.kvorum.security.PeerCertificate;
import dev.kvorum.topology.Feature;
import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts or rejects handshakes. One instance serves incoming and outgoing connections on all event
 * loops.
 */
public final class HandshakePolicy {
  private static final Logger log = LoggerFactory.getLogger(HandshakePolicy.class);

  private final LocalMember self;
  private final ProcessRegistry processes;
  private final Fence fence;
  private final Consumer<MemberId> onNewerEpoch;
  private final PeerReleases releases;
  private volatile Runnable onAdmitted = () -> {};

  /**
   * Creates the policy of one node.
   *
   * @param onNewerEpoch called, on any thread, with a member whose handshake has a newer epoch
   */
  public HandshakePolicy(
      LocalMember self, ProcessRegistry processes, Fence fence, Consumer<MemberId> onNewerEpoch) {
    this.self = self;
    this.processes = processes;
    this.fence = fence;
    this.onNewerEpoch = onNewerEpoch;
    this.releases = new PeerReleases(self.release(), self.features().get());
    self.features().beforeUse(this::require);
  }

  /** Registers what is run, on any thread, after each connection that was admitted. */
  public void onAdmitted(Runnable listener) {
    onAdmitted = listener;
  }

  /** Cuts off the peers whose release lacks a feature. Each is rejected from now on. */
  private void require(Set<Feature> all) {
    log.info(
        "Active features: {}; peers without them are rejected from now on", Feature.names(all));
    releases.require(all);
    processes.connected().stream().filter(releases::lacksFeature).forEach(this::cutOff);
  }

  private void cutOff(MemberId peer) {
    String release = releases.of(peer).map(Release::toString).orElse("an unknown release");
    processes.cutOff(
        peer, release + " lacks an active feature of " + Feature.names(releases.required()));
  }

  /**
   * Returns whether a peer can read a request. One that lacks a feature may be connected until this
   * node knows that the feature is active, and records that need it come from others meanwhile.
   */
  public boolean canRead(MemberId peer, ReplicaRequest request) {
    if (!(request.untraced() instanceof ReplicaRequest.Write write)) {
      return true;
    }
    Feature needed = RecordFeatures.neededBy(write.mutation().record());
    return needed == null || releases.has(peer, needed);
  }

  LocalMember self() {
    return self;
  }

  Fence fence() {
    return fence;
  }

  Handshake greeting(MemberId listener) {
    return self.greeting(listener);
  }

  /** The releases of the peers. */
  public PeerReleases releases() {
    return releases;
  }

  /**
   * Why the connection must be closed, or empty: the sender is not who it says.
   *
   * @param certificate of the sender; null on a plain connection, which proves nothing
   */
  Optional<Objection> forgery(Handshake hello, @Nullable PeerCertificate certificate) {
    String text =
        certificate == null ? "" : certificate.objection(hello.clusterId(), hello.speaker().name());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    processes.meters().rejected(Reason.IDENTITY.label());
    return object(Reason.IDENTITY, text);
  }

  /** Why the connection must be closed, or empty: the handshake is from a wrong node. */
  Optional<Objection> objection(Handshake hello) {
    Optional<Objection> objection = check(hello, self, releases.required());
    objection.ifPresent(found -> processes.meters().rejected(found.reason().label()));
    Optional<Reason> reason = objection.map(Objection::reason);
    if (reason.filter(it -> it == Reason.PROTOCOL || it == Reason.FEATURE).isPresent()) {
      noteUnlessConnected(hello.speaker(), hello.release());
    }
    return objection;
  }

  /**
   * Why a node must reject the sender of a handshake, or empty.
   *
   * @param required features that all peers must have
   */
  static Optional<Objection> check(Handshake hello, LocalMember here, Set<Feature> required) {
    Topology topology = here.topology().get();
    MemberId self = here.id();
    if (!hello.clusterId().equals(topology.clusterId())) {
      return object(
          Reason.CLUSTER,
          "cluster '"
              + hello.clusterId()
              + "', this node belongs to '"
              + topology.clusterId()
              + "'");
    }
    if (!hello.listener().equals(self)) {
      return object(Reason.LISTENER, "it expects " + hello.listener() + ", this node is " + self);
    }
    if (topology.member(hello.speaker()).isEmpty()) {
      return object(Reason.STRANGER, "it is not a member of " + topology.names());
    }
    if (here.release().protocols().common(hello.release().protocols()).isEmpty()) {
      return object(
          Reason.PROTOCOL,
          "it runs "
              + hello.release()
              + ", this node "
              + here.release()
              + "; nodes need a version in common, so upgrade through a release in between");
    }
    Set<Feature> lacking = hello.release().lacking(required);
    if (!lacking.isEmpty()) {
      return object(
          Reason.FEATURE,
          "it runs "
              + hello.release()
              + ", which lacks the active feature "
              + Feature.names(lacking)
              + "; run a release that has it");
    }
    if (hello.epoch() == topology.epoch() && !hello.members().equals(topology.names())) {
      return object(
          Reason.MEMBERS,
          "its members are " + hello.members() + ", here they are " + topology.names());
    }
    if (hello.speaker().writer(hello.process().incarnation()) == self.writer(here.incarnation())) {
      return object(
          Reason.WRITER,
          "its versions could not be distinguished from those of this node; give one of the two"
              + " an empty data directory");
    }
    return Optional.empty();
  }

  private static Optional<Objection> object(Reason reason, String text) {
    return Optional.of(new Objection(reason, text));
  }

  /** Remembers the release of a peer that rejects this node, and what it demands. */
  void noteRejection(MemberId peer, FrameFields why) {
    if (why.release() != null) {
      noteUnlessConnected(peer, why.release());
    }
    if (!why.features().isEmpty()) {
      releases.noteDemand(peer, true);
    }
  }

  /** A stray process does not hide the release of the one that is connected. */
  private synchronized void noteUnlessConnected(MemberId peer, Release release) {
    if (!processes.isConnected(peer)) {
      releases.note(peer, release);
    }
  }

  private synchronized void note(MemberId peer, Release release) {
    releases.note(peer, release);
  }

  /** Forgets the release of a former member. */
  void forget(MemberId peer) {
    if (self.topology().get().member(peer).isEmpty()) {
      releases.forget(peer);
    }
  }

  /** The fields of the frame that rejects a handshake. */
  FrameFields fieldsOf(Objection objection, Handshake hello) {
    return FrameFields.of(objection, self.release(), hello.release(), releases.required());
  }

  /** The version of the protocol on a connection with an accepted handshake. */
  int protocol(Handshake hello) {
    return self.release().protocols().common(hello.release().protocols()).orElseThrow();
  }

  /** Registers an accepted connection, or returns why its process is fenced. */
  Optional<FenceNotice> enter(Handshake hello, ProcessRegistry.Link link) {
    Optional<FenceNotice> rejected =
        processes.enter(hello.speaker(), hello.process(), hello.loops(), link);
    if (rejected.isEmpty()) {
      note(hello.speaker(), hello.release());
      if (!link.isInbound()) {
        // The peer has accepted this node's handshake.
        releases.noteDemand(hello.speaker(), false);
      }
      if (releases.lacksFeature(hello.speaker())) {
        // A feature has become active since the handshake was checked.
        cutOff(hello.speaker());
      }
      onAdmitted.run();
    }
    return rejected;
  }

  void leave(MemberId speaker, ProcessRegistry.Link link) {
    processes.leave(speaker, link);
  }

  /**
   * Handles the epoch in a handshake. Call it once requests can be sent, if the connection was
   * admitted.
   */
  void noteEpoch(Handshake hello) {
    if (hello.isNewerThan(self.topology().get())) {
      onNewerEpoch.accept(hello.speaker());
    }
  }
}
