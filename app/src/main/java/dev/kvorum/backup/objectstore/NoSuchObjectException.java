package dev.kvorum.backup.objectstore;

import java.io.IOException;

/** The store works, and has no object of this name. */
public final class NoSuchObjectException extends IOException {
  private static final long serialVersionUID = 1;

  public NoSuchObjectException(String name) {
    super("there is no object " + name);
  }
}
