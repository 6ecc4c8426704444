package dev.kvorum.topology;

/**
 * An entry of the topology.
 *
 * @param zone failure domain, empty when unknown
 */
public record Member(MemberId id, String zone, MemberState state) {}
