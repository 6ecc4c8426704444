package dev.kvorum.backup.manifest;

/**
 * A file of a member's checkpoint.
 *
 * @param name its name in the store's directory
 * @param sha256 SHA-256 of its bytes, in hexadecimal digits
 * @param object name of its object, which is the SHA-256 unless objects are encrypted
 */
public record BackupFile(String name, long bytes, String sha256, String object) {}
