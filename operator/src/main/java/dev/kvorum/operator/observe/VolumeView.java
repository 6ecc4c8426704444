package dev.kvorum.operator.observe;

import java.util.Optional;

/**
 * A member's volume claim as it is.
 *
 * @param bytes what it asks for
 * @param clusterId the founded cluster whose data it may hold
 * @param owned whether it goes when the cluster is deleted
 * @param growing whether what it has is less than what it asks for
 * @param expandable whether its storage class lets it grow; empty where that cannot be known
 */
public record VolumeView(
    String name,
    long bytes,
    Optional<String> clusterId,
    boolean owned,
    boolean growing,
    Optional<Boolean> expandable,
    boolean deleting) {}
