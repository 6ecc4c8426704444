/**
 * The public HTTP API.
 *
 * <p>Read {@link dev.kvorum.http.EntityRoutes}, which takes {@code /v0/entity} straight from
 * Reactor Netty, {@code EntityQuery}, {@code EntityHandler} and {@code Outcomes}, the table of
 * answers; then {@link dev.kvorum.http.AdmissionControl}, which sheds load before work is done, and
 * {@link dev.kvorum.http.ClientConnections}, which does so before there is a request. Ranges go
 * from {@code EntitiesQuery} and {@link dev.kvorum.http.EntitiesHandler} through {@code
 * RangeStream} to the client. Every other path goes to {@link dev.kvorum.http.OtherRoutes} in
 * WebFlux.
 *
 * <p>Imports {@code data}, {@code coordinator}, {@code topology}, {@code metrics}, {@code tracing},
 * WebFlux and Reactor Netty.
 */
@NullMarked
package dev.kvorum.http;

import org.jspecify.annotations.NullMarked;
