/**
 * Decoding of requests: target, query parameters, headers and body.
 *
 * <p>Read {@code RequestTarget} and {@code PercentDecoder}, then {@code EntityQuery} and {@code
 * RangeParameters}, {@code BodyReader}, {@code Preconditions} and {@code AcceptHeader}. Invalid
 * input throws {@link dev.kvorum.http.problem.BadRequestException}.
 *
 * <p>Imports {@code coordinator}, {@code data}, {@code deadlines}, {@code http.problem}, Netty,
 * Reactive Streams and Reactor.
 */
@NullMarked
package dev.kvorum.http.request;

import org.jspecify.annotations.NullMarked;
