package dev.kvorum.operator.view;

/**
 * Whether Kubernetes has failure domains in which no pod of the cluster runs.
 *
 * @param machine a machine for workloads; only asked for if all pods share one
 * @param zone a zone; only asked for if there are fewer zones with pods than copies
 */
public record SpareDomains(boolean machine, boolean zone) {
  /** There is none, or the operator may not list machines. */
  public static final SpareDomains NONE = new SpareDomains(false, false);
}
