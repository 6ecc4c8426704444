/**
 * Named objects outside of the cluster, where backups are stored: on S3 or a mounted volume.
 *
 * <p>Imports {@code files}; the AWS SDK nowhere else.
 */
@NullMarked
package dev.kvorum.backup.objectstore;

import org.jspecify.annotations.NullMarked;
