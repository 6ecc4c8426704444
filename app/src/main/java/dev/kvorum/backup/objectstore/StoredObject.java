package dev.kvorum.backup.objectstore;

import java.time.Instant;

/** An object in a listing, and when it was stored by the store's clock. */
public record StoredObject(String name, long bytes, Instant modified) {}
