package dev.kvorum.operator.api;

/** A reason and its sentence. */
public record Notice(Reason reason, String message) {}
