/**
 * The public HTTP API.
 *
 * <p>Read {@link dev.kvorum.http.EntityRoutes}, which takes {@code /v0/entity} straight from
 * Reactor Netty, {@code EntityQuery}, {@code EntityHandler} and {@code Problems}, the table of
 * answers; then {@link dev.kvorum.http.AdmissionControl}, which sheds load before work is done, and
 * {@link dev.kvorum.http.connection.ClientConnections}, which does so before there is a request.
 * Ranges go from {@code RangeParameters} and {@link dev.kvorum.http.RangeHandler} through {@code
 * RangeStream} to the client. Every other path goes to {@link dev.kvorum.http.OtherRoutes} in
 * WebFlux.
 *
 * <p>Imports {@code coordinator}, {@code data}, {@code http.connection}, {@code http.problem},
 * {@code http.request}, {@code metrics}, {@code tracing}, Netty, Reactive Streams, Reactor, Reactor
 * Netty, Spring and concurrency-limits.
 */
@NullMarked
package dev.kvorum.http;

import org.jspecify.annotations.NullMarked;
