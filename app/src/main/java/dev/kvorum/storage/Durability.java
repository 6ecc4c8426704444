package dev.kvorum.storage;

/** When an applied mutation is acknowledged. */
public enum Durability {
  /** After an fsync, shared by the writes that waited for it: survives a power loss. */
  SYNC,
  /** Once written to the operating system; an fsync follows within the sync interval. */
  ASYNC
}
