package dev.kvorum.topology;

/**
 * A member of the topology.
 *
 * @param zone failure domain, empty if unknown
 */
public record Member(MemberId id, String zone, MemberState state) {}
