package dev.kvorum.membership;

import dev.kvorum.topology.MemberId;
import dev.kvorum.topology.Topology;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * A static list of peers, whose host names are resolved each time anew, away from the event loops.
 */
public final class StaticAddresses implements TopologySource {
  private final Map<MemberId, InetSocketAddress> addresses;
  private final Executor background;

  public StaticAddresses(Map<MemberId, InetSocketAddress> addresses, Executor background) {
    this.addresses = addresses;
    this.background = background;
  }

  @Override
  public void follow(Consumer<Topology> listener) {
    // It never changes.
  }

  @Override
  public void close() {
    // The executor is the owner's.
  }

  @Override
  public CompletionStage<InetSocketAddress> locate(MemberId member) {
    return CompletableFuture.supplyAsync(() -> resolve(member), background);
  }

  private InetSocketAddress resolve(MemberId member) {
    InetSocketAddress address = addresses.get(member);
    if (address == null) {
      throw new IllegalArgumentException(member + " has no address");
    }
    try {
      InetAddress host = InetAddress.getByName(address.getHostString());
      return new InetSocketAddress(host, address.getPort());
    } catch (UnknownHostException e) {
      throw new CompletionException("host " + address.getHostString() + " is not known", e);
    }
  }
}
