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

/** A backup of a cluster, made once. The backups of a cluster are made one after the other. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumBackup")
@Singular("kvorumbackup")
@Plural("kvorumbackups")
@ShortNames({"kvb"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "CLUSTER",
    jsonPath = ".spec.cluster",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "PHASE",
    jsonPath = ".status.phase",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "MEMBERS",
    jsonPath = ".status.result.members",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "BYTES",
    jsonPath = ".status.result.bytes",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "UPLOADED",
    jsonPath = ".status.result.uploadedBytes",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "ID",
    jsonPath = ".status.id",
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
@ValidationRule(
    value = "size(self.metadata.name) <= 45",
    message = "metadata.name must be at most 45 characters: names of its Job and pod begin with it")
public class KvorumBackup extends CustomResource<KvorumBackupSpec, KvorumBackupStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumBackupSpec initSpec() {
    return KvorumBackupSpec.NONE;
  }

  /** The status, also before there is one. */
  @JsonIgnore
  public KvorumBackupStatus known() {
    return requireNonNullElse(getStatus(), KvorumBackupStatus.NONE);
  }
}
