package dev.kvorum.storage.engine;

/**
 * What memory knows of the stored data, which the writer keeps up to date.
 *
 * @param ledger sizes of hints
 * @param purges what was removed
 * @param marks numbers about the node
 * @param versions versions of records
 */
record StoreMemory(HintLedger ledger, Purges purges, StoredMarks marks, VersionCache versions) {}
