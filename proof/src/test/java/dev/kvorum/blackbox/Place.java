package dev.kvorum.blackbox;

import java.util.List;

/**
 * Where a node runs.
 *
 * @param address by which clients and other nodes reach it
 * @param runner the command that its own command is given to, empty for none
 */
public record Place(String address, List<String> runner) {
  /** On this machine, like everything else. */
  public static final Place LOCALHOST = new Place("127.0.0.1", List.of());
}
