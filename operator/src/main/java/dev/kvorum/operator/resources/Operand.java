package dev.kvorum.operator.resources;

/**
 * What the operator decides about the members' pods, beside their spec.
 *
 * @param clusterId id of the cluster
 * @param image the nodes' image
 * @param tls TLS between them
 * @param haveUsers whether they are mounted the file with users
 */
public record Operand(String clusterId, String image, PeerTls tls, boolean haveUsers) {}
