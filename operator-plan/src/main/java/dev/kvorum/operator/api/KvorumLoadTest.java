package dev.kvorum.operator.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A load test of a cluster: its spec and its results. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumLoadTest")
@Singular("kvorumloadtest")
@Plural("kvorumloadtests")
@ShortNames({"kvl"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "RATE",
    jsonPath = ".status.latest.rate",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "ACHIEVED",
    jsonPath = ".status.latest.achieved",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "P50",
    jsonPath = ".status.latest.p50",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "P99",
    jsonPath = ".status.latest.p99",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "P999",
    jsonPath = ".status.latest.p999",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "ERRORS",
    jsonPath = ".status.latest.errors",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "KNEE",
    jsonPath = ".status.knee",
    type = AdditionalPrinterColumn.Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(
    name = "PHASE",
    jsonPath = ".status.phase",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(
    value = "size(self.metadata.name) <= 45",
    message = "metadata.name must be at most 45 characters: names of Jobs and pods begin with it")
@ValidationRule(
    value =
        "!has(oldSelf.status) || !has(oldSelf.status.startedAt) || (self.spec.cluster =="
            + " oldSelf.spec.cluster && self.spec.workload == oldSelf.spec.workload &&"
            + " self.spec.connections == oldSelf.spec.connections && self.spec.threads =="
            + " oldSelf.spec.threads && self.spec.duration == oldSelf.spec.duration &&"
            + " self.spec.rates == oldSelf.spec.rates && self.spec.keys == oldSelf.spec.keys &&"
            + " self.spec.valueBytes == oldSelf.spec.valueBytes && self.spec.p99Max =="
            + " oldSelf.spec.p99Max && self.spec.image == oldSelf.spec.image &&"
            + " self.spec.?ack == oldSelf.spec.?ack && self.spec.?from == oldSelf.spec.?from &&"
            + " self.spec.?gets == oldSelf.spec.?gets && self.spec.?skew =="
            + " oldSelf.spec.?skew && self.spec.?records == oldSelf.spec.?records &&"
            + " self.spec.?fill == oldSelf.spec.?fill)",
    message =
        "spec cannot be changed once the load test has started: make another one under another"
            + " name")
public class KvorumLoadTest extends CustomResource<KvorumLoadTestSpec, KvorumLoadTestStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumLoadTestSpec initSpec() {
    return KvorumLoadTestSpec.DEFAULTS;
  }
}
