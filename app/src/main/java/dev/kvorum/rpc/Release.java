package dev.kvorum.rpc;

import java.util.Objects;

/**
 * A build of Kvorum, as nodes compare theirs.
 *
 * @param version of the product, for people; empty if a peer did not send it
 */
public record Release(String version, ProtocolRange protocols) {
  /** This build. */
  public static final Release CURRENT =
      new Release(
          Objects.requireNonNullElse(
              Release.class.getPackage().getImplementationVersion(), "development"),
          ProtocolRange.SUPPORTED);

  @Override
  public String toString() {
    return (version.isEmpty() ? "a release" : version) + " with protocol " + protocols;
  }
}
