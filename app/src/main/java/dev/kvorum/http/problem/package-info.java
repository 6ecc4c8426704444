/**
 * Error responses: problem details of RFC 9457.
 *
 * <p>Read {@code Problems}, the table from outcome to status and problem type, and {@code Problem},
 * which renders one; {@code Shortfall} describes the replicas that did not confirm. {@code
 * JsonLine} encodes other responses too.
 *
 * <p>Imports {@code coordinator}, {@code data}, Jackson and Netty.
 */
@NullMarked
package dev.kvorum.http.problem;

import org.jspecify.annotations.NullMarked;
