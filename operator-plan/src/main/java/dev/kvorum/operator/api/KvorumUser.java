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

/** Someone who may send requests to a cluster. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumUser")
@Singular("kvorumuser")
@Plural("kvorumusers")
@ShortNames({"kvu"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "CLUSTER",
    jsonPath = ".spec.cluster",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "AUTHENTICATION",
    jsonPath = ".spec.authentication.type",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "READY",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "SECRET",
    jsonPath = ".status.secretName",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "MESSAGE",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@ValidationRule(value = "has(self.spec)", message = "spec is required")
@ValidationRule(
    value = "size(self.metadata.name) <= 63",
    message = "the name of a user has at most 63 characters")
public class KvorumUser extends CustomResource<KvorumUserSpec, KvorumUserStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumUserSpec initSpec() {
    return KvorumUserSpec.NONE;
  }

  /** The status, also before there is one. */
  @JsonIgnore
  public KvorumUserStatus known() {
    return requireNonNullElse(getStatus(), KvorumUserStatus.NONE);
  }
}
