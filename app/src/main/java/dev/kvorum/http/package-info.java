/**
 * The public HTTP API.
 *
 * <p>Read {@link dev.kvorum.http.EntityRoutes}, which receives {@code /v0/entity} directly from
 * Reactor Netty, {@code EntityQuery}, {@code EntityHandler} and {@code Problems}, the table of
 * error responses. Then read {@link dev.kvorum.http.AccessControl}, which finds out who sends a
 * request and whether they may and tells the audit log ({@code RequestAudit}), {@link
 * dev.kvorum.http.AdmissionControl}, which sheds load before work is done, and {@link
 * dev.kvorum.http.connection.ClientConnections}, which limits connections. Ranges go from {@code
 * RangeParameters} and {@link dev.kvorum.http.RangeHandler} through {@code RangeStream} to the
 * client. {@link dev.kvorum.http.ExplainHandler} and {@code Explanation} tell what the replicas of
 * a key have. All other paths go to {@link dev.kvorum.http.FallbackRoutes} in WebFlux.
 *
 * <p>Imports {@code audit}, {@code auth}, {@code auth.serviceaccount}, {@code coordinator}, {@code
 * data}, {@code deadlines}, {@code http.connection}, {@code http.problem}, {@code http.request},
 * {@code metrics}, {@code security}, {@code topology}, {@code tracing}, Netty, Reactive Streams,
 * Reactor, Reactor Netty, Spring and concurrency-limits.
 */
@NullMarked
package dev.kvorum.http;

import org.jspecify.annotations.NullMarked;
