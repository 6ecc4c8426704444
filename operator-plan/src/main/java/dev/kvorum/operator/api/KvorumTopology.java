package dev.kvorum.operator.api;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * A cluster's members under an epoch: the operator alone writes it, with compare-and-swap, and the
 * nodes watch it.
 */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumTopology")
@Singular("kvorumtopology")
@Plural("kvorumtopologies")
@ShortNames("kvt")
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "EPOCH",
    jsonPath = ".spec.epoch",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "PHASE",
    jsonPath = ".spec.phase",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "CHANGING",
    jsonPath = ".spec.members[?(@.state!=\"Active\")].name",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "AGE",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public class KvorumTopology extends CustomResource<KvorumTopologySpec, Void> implements Namespaced {
  private static final long serialVersionUID = 1;
}
