/**
 * The command {@code kv}: a client of the HTTP API for people and shell scripts.
 *
 * <p>Read {@link dev.kvorum.cli.Kv}, the command with its exit codes, then {@code ApiClient}, which
 * sends the requests, and one class for each subcommand.
 *
 * <p>Imports Jackson and picocli.
 */
@NullMarked
package dev.kvorum.cli;

import org.jspecify.annotations.NullMarked;
