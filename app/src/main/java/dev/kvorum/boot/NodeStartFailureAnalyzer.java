package dev.kvorum.boot;

import dev.kvorum.config.NodeStartException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Prints why a node did not start, without a stack trace. */
final class NodeStartFailureAnalyzer extends AbstractFailureAnalyzer<NodeStartException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, NodeStartException failure) {
    return new FailureAnalysis(String.valueOf(failure.getMessage()), null, failure);
  }
}
