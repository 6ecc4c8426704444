package dev.kvorum.operator.api;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnore;
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

/** An operation on one member, done once. The tasks of a cluster run one after the other. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumTask")
@Singular("kvorumtask")
@Plural("kvorumtasks")
@ShortNames({"kvk"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "CLUSTER",
    jsonPath = ".spec.cluster",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "ACTION",
    jsonPath = ".spec.action",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "MEMBER",
    jsonPath = ".spec.member",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "PHASE",
    jsonPath = ".status.phase",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "MESSAGE",
    jsonPath = ".status.conditions[?(@.type==\"Complete\")].message",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@ValidationRule(value = "has(self.spec)", message = "spec is required")
public class KvorumTask extends CustomResource<KvorumTaskSpec, KvorumTaskStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumTaskSpec initSpec() {
    return KvorumTaskSpec.NONE;
  }

  /** The status, also before there is one. */
  @JsonIgnore
  public KvorumTaskStatus known() {
    return requireNonNullElse(getStatus(), KvorumTaskStatus.NONE);
  }
}
