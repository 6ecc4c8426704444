package dev.kvorum.operator.users;

import dev.kvorum.operator.api.UserReason;

/** A reason and its message. */
record UserNotice(UserReason reason, String message) {}
