package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A static list of peers. Host names are resolved again for each lookup. */
final class StaticAddresses implements TopologySource {
  private final Map<MemberId, InetSocketAddress> addresses;
  private final HostNameResolver names;

  StaticAddresses(Map<MemberId, InetSocketAddress> addresses, HostNameResolver names) {
    this.addresses = addresses;
    this.names = names;
  }

  @Override
  public void follow(Consumer<Topology> listener) {
    // A static topology never changes.
  }

  @Override
  public void close() {
    names.close();
  }

  @Override
  public CompletionStage<InetSocketAddress> locate(MemberId member) {
    InetSocketAddress address = addresses.get(member);
    if (address == null) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException(member + " has no address"));
    }
    return names.find(address.getHostString(), address.getPort());
  }
}
