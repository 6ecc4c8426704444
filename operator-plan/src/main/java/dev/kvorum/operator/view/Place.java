package dev.kvorum.operator.view;

/**
 * Where a pod is scheduled.
 *
 * @param machine the Kubernetes node
 * @param zone the failure domain of the machine; an empty text if it has none
 */
public record Place(String machine, String zone) {}
