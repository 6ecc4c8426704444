package dev.kvorum.data;

/** What a record contains. */
public enum RecordKind {
  /** Bytes. */
  VALUE(0),
  /** Nothing: the key was removed. */
  TOMBSTONE(1),
  /** A {@link TypedValue}. Only nodes with this feature read it. */
  TYPED_VALUE(2);

  private final byte flags;

  RecordKind(int flags) {
    this.flags = (byte) flags;
  }

  /** The kind as it is stored and sent; never changes. */
  public byte flags() {
    return flags;
  }

  /**
   * The kind with these flags.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static RecordKind of(byte flags) {
    return switch (flags) {
      case 0 -> VALUE;
      case 1 -> TOMBSTONE;
      case 2 -> TYPED_VALUE;
      default -> throw new IllegalArgumentException("unknown record flags " + flags);
    };
  }
}
