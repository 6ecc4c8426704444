/**
 * The audit log: who was rejected, what administrators changed, and chosen writes of data, one JSON
 * object a line. It has no values and no tokens.
 *
 * <p>{@link dev.kvorum.audit.AuditLog} takes each {@link dev.kvorum.audit.AuditRecord} without
 * waiting; a thread of its own writes them to an {@code AuditOutput}, which {@code AuditFile} may
 * be.
 *
 * <p>Imports {@code auth}, {@code data}, {@code settings}, Jackson and, in its settings, Spring.
 */
@NullMarked
package dev.kvorum.audit;

import org.jspecify.annotations.NullMarked;
