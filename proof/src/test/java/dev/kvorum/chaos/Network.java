package dev.kvorum.chaos;

import dev.kvorum.blackbox.Place;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** The network between the nodes, which can be cut or slowed where the machine supports it. */
interface Network extends AutoCloseable {

  /** One with cuts where they are possible, else localhost. */
  static Network open(int nodes) {
    String obstacle = Namespaces.obstacle();
    return obstacle.isEmpty() ? new Namespaces(nodes) : new Localhost(nodes, obstacle);
  }

  /** Where the nodes run, by their number. */
  List<Place> places();

  /** The faults that this network cannot have, each with the reason. */
  String skipped();

  /** The kinds of faults that this network can have. */
  Set<Faults.Kind> kinds();

  /** Loses everything that one node sends to another. */
  void cut(int from, int to);

  /** Delays and drops some of what a node sends, and returns a description. */
  String slow(int node, int degree);

  /** Undoes every cut. */
  void heal();

  @Override
  void close();

  /** All nodes on one address, which cannot be parted. */
  record Localhost(int nodes, String obstacle) implements Network {
    @Override
    public List<Place> places() {
      return Collections.nCopies(nodes, Place.LOCALHOST);
    }

    @Override
    public String skipped() {
      return "network faults need root and iproute2 (" + obstacle + ")";
    }

    @Override
    public Set<Faults.Kind> kinds() {
      return Set.of();
    }

    @Override
    public void cut(int from, int to) {
      throw new UnsupportedOperationException(skipped());
    }

    @Override
    public String slow(int node, int degree) {
      throw new UnsupportedOperationException(skipped());
    }

    @Override
    public void heal() {}

    @Override
    public void close() {}
  }
}
