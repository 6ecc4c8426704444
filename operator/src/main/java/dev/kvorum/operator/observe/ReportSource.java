package dev.kvorum.operator.observe;

import dev.kvorum.operator.view.NodeReport;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;

/** Supplies the nodes' reports. */
public interface ReportSource {
  /** A pod and its IP address. */
  record Address(String pod, String ip) {}

  /** Returns the reports of the pods that respond in time, by pod. Never fails. */
  Map<String, NodeReport> fetch(Collection<Address> pods, Duration timeout);
}
