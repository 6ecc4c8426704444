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

/** A cluster of Kvorum nodes: its spec and its status. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumCluster")
@Singular("kvorumcluster")
@Plural("kvorumclusters")
@ShortNames({"kvc", "kvorum"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "READY",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "MEMBERS",
    jsonPath = ".status.memberSummary",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "EPOCH",
    jsonPath = ".status.epoch",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "VERSION",
    jsonPath = ".status.version",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "PHASE",
    jsonPath = ".status.phase",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "IMAGE",
    jsonPath = ".status.image",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "SECURITY",
    jsonPath = ".spec.security.profile",
    type = AdditionalPrinterColumn.Type.STRING,
    priority = 1)
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(
    value = "size(self.metadata.name) <= 45",
    message =
        "metadata.name must be at most 45 characters: names of pods and volumes begin with it")
@ValidationRule(
    value = "self.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
    message =
        "metadata.name must be small letters, digits and dashes, begin with a letter and not end"
            + " with a dash: Services are called after it")
@ValidationRule(
    value =
        "!has(self.spec) || !has(oldSelf.spec) ||"
            + " quantity(self.spec.storage.size).compareTo(quantity(oldSelf.spec.storage.size)) >="
            + " 0 || (has(self.status) && has(self.status.volumeSize) &&"
            + " quantity(self.spec.storage.size).compareTo(quantity(self.status.volumeSize)) >= 0)",
    message =
        "storage.size may only grow, or go back to status.volumeSize: a volume cannot be made"
            + " smaller")
public class KvorumCluster extends CustomResource<KvorumClusterSpec, KvorumClusterStatus>
    implements Namespaced {
  public static final String GROUP = "kvorum.dev";
  public static final String VERSION = "v1alpha1";
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumClusterSpec initSpec() {
    return KvorumClusterSpec.DEFAULTS;
  }

  /** The status, also before there is one. */
  @JsonIgnore
  public KvorumClusterStatus known() {
    return requireNonNullElse(getStatus(), KvorumClusterStatus.NONE);
  }
}
