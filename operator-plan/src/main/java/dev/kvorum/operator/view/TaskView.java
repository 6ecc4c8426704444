package dev.kvorum.operator.view;

import dev.kvorum.operator.api.TaskAction;
import java.util.Optional;

/**
 * The task on a member that is next, or under way.
 *
 * @param started whether it is recorded that it has started
 * @param replacedUid uid of what its member had at the start and is to lose
 * @param outdated whether it is older than the cluster, so that it was meant for another one
 */
public record TaskView(
    String name,
    TaskAction action,
    String member,
    boolean started,
    Optional<String> replacedUid,
    boolean outdated) {}
