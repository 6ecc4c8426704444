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

/** Backups of a cluster at regular times, the deletion of old ones, and their verification. */
@Group(KvorumCluster.GROUP)
@Version(KvorumCluster.VERSION)
@Kind("KvorumBackupSchedule")
@Singular("kvorumbackupschedule")
@Plural("kvorumbackupschedules")
@ShortNames({"kvbs"})
@Categories("kvorum")
@AdditionalPrinterColumn(
    name = "CLUSTER",
    jsonPath = ".spec.cluster",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "CRON",
    jsonPath = ".spec.cron",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "READY",
    jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "BACKED UP",
    jsonPath = ".status.conditions[?(@.type==\"BackedUp\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "VERIFIED",
    jsonPath = ".status.conditions[?(@.type==\"Verified\")].status",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "LAST",
    jsonPath = ".status.lastBackup.began",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "NEXT",
    jsonPath = ".status.nextAt",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "SUSPENDED",
    jsonPath = ".spec.suspend",
    type = AdditionalPrinterColumn.Type.BOOLEAN,
    priority = 1)
@ValidationRule(value = "has(self.spec)", message = "spec is required")
@ValidationRule(
    value = "size(self.metadata.name) <= 30",
    message = "metadata.name must be at most 30 characters: names of its backups begin with it")
public class KvorumBackupSchedule
    extends CustomResource<KvorumBackupScheduleSpec, KvorumBackupScheduleStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1;

  @Override
  protected KvorumBackupScheduleSpec initSpec() {
    return KvorumBackupScheduleSpec.NONE;
  }

  /** The status, also before there is one. */
  @JsonIgnore
  public KvorumBackupScheduleStatus known() {
    return requireNonNullElse(getStatus(), KvorumBackupScheduleStatus.NONE);
  }
}
