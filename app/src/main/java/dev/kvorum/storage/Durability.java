package dev.kvorum.storage;

/** When an applied mutation is acknowledged. */
public enum Durability {
  /** After an fsync, shared by the writes that waited for it: survives a loss of power. */
  SYNC,
  /** Once in the operating system's hands; fsync follows within the sync interval. */
  ASYNC
}
