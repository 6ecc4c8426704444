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

/** Rules that users of a cluster share. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumRole")
@Singular("kvorumrole")
@Plural("kvorumroles")
@ShortNames({"kvr"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "CLUSTER",
    jsonPath = ".spec.cluster",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@ValidationRule(value = "has(self.spec)", message = "spec is required")
public class KvorumRole extends CustomResource<KvorumRoleSpec, Void> implements Namespaced {
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumRoleSpec initSpec() {
    return KvorumRoleSpec.NONE;
  }
}
