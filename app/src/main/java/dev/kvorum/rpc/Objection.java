package dev.kvorum.rpc;

/**
 * Why a node does not talk to the sender of a handshake.
 *
 * @param text for people, as the end of a sentence
 */
public record Objection(Reason reason, String text) {
  /** What does not fit; a label of a metric. */
  public enum Reason {
    /** No version of the protocol is common to both. */
    PROTOCOL("protocol"),
    /** The sender's release lacks a feature that is active here. */
    FEATURE("feature"),
    /** The sender's certificate is not for the member that it says it is. */
    IDENTITY("identity"),
    /** They belong to different clusters. */
    CLUSTER("cluster"),
    /** The sender expects another member at this address. */
    LISTENER("listener"),
    /** The sender is not a member. */
    STRANGER("stranger"),
    /** Both have the same epoch and different members. */
    MEMBERS("members"),
    /** Versions of the sender could equal versions of this node. */
    WRITER("writer");

    private final String label;

    Reason(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }
}
