package dev.kvorum.operator.observe;

import java.util.Collection;
import java.util.Map;

/** Where nodes' reports come from. */
public interface ReportSource {
  /** A pod and where it can be asked. */
  record Address(String pod, String ip) {}

  /** The reports of those that answer in time, by pod; the others are not in it. Never fails. */
  Map<String, NodeReport> fetch(Collection<Address> pods);
}
