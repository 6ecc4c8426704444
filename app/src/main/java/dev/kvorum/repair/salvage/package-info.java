/**
 * The records of this member's corrupted stores, stored again as far as that is safe.
 *
 * <p>Read {@link dev.kvorum.repair.salvage.Salvage}, the two passes; {@code LastCopies} and {@code
 * RangeCertainty}, which ask the other replicas about records that may have been deleted; {@code
 * SalvageRoom}, which frees the disk of what is stored again.
 *
 * <p>Imports {@code background}, {@code data}, {@code placement}, {@code repair.state}, {@code
 * replica}, {@code storage} and {@code topology}.
 */
@NullMarked
package dev.kvorum.repair.salvage;

import org.jspecify.annotations.NullMarked;
