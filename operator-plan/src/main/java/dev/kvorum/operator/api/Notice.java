package dev.kvorum.operator.api;

/** A reason and its message. */
public record Notice(Reason reason, String message) {}
