package dev.kvorum.auth.serviceaccount;

import java.time.Duration;

/**
 * How tokens of ServiceAccounts are checked.
 *
 * @param audience for whom they must be made
 * @param lifetimeMax longest time between when one was made and when it expires
 * @param recheck how long a token that was checked is not checked again, and the interval at which
 *     keys are read again
 * @param tokensMax checked tokens that are remembered
 * @param waitingMax tokens that can wait for their check
 */
public record TokenSettings(
    String audience, Duration lifetimeMax, Duration recheck, int tokensMax, int waitingMax) {}
