package dev.kvorum.operator.view;

/**
 * The task to remove a member that is next, or under way.
 *
 * @param started whether it is recorded that it has started
 * @param outdated whether it is older than the cluster, so that it was meant for another one
 */
public record TaskView(String name, String member, boolean started, boolean outdated) {}
