package dev.kvorum.rpc;

/**
 * Kinds of frames: the first byte of a frame. The numbers are part of the protocol: never reuse or
 * change them.
 */
final class FrameKind {
  static final byte HELLO = 1;
  static final byte WELCOME = 2;
  static final byte REJECTED = 3;
  static final byte PING = 4;
  static final byte PONG = 5;
  static final byte CANCEL = 6;
  static final byte FENCED = 7;

  static final byte READ = 16;
  static final byte READ_VERSION = 17;
  static final byte WRITE = 18;
  static final byte PULL_HINTS = 19;

  static final byte SCAN = 20;
  static final byte ASK_STATUS = 21;
  static final byte COPY = 22;
  static final byte COMPARE_DIGESTS = 23;
  static final byte WANT_LEAVES = 24;
  static final byte LIST_WANTED = 25;
  static final byte PULLED = 26;
  static final byte ASK_TOPOLOGY = 27;
  static final byte COPY_GAINED = 28;
  static final byte TRACED = 29;
  static final byte ASK_CERTAIN = 30;

  /** Only for nodes with {@code reverse-scan}. */
  static final byte SCAN_DESCENDING = 31;

  static final byte FOUND = 32;
  static final byte FOUND_VERSION = 33;
  static final byte ABSENT = 34;
  static final byte UNKNOWN = 35;
  static final byte STORED = 36;
  static final byte SUPERSEDED = 37;
  static final byte WRITE_REJECTED = 38;
  static final byte HINTS_DELIVERED = 39;
  static final byte FAILED = 40;
  static final byte PAGE = 41;
  static final byte STATUS = 42;
  static final byte DIGESTS = 43;
  static final byte LISTED = 44;
  static final byte DONE = 45;
  static final byte CUT_MOVED = 46;
  static final byte KNOWN = 47;
  static final byte GAINED = 48;
  static final byte CERTAIN = 49;

  private FrameKind() {}
}
