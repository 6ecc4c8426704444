package dev.kvorum.operator.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionVersion;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The CRDs in the chart match these types. {@code mvn -pl operator-plan test -Dtest=CrdTest
 * -Dcrd.write=true} writes them again.
 */
class CrdTest {
  private static final Path COMMITTED = Path.of("../helm/kvorum/crds");
  private static final List<Class<? extends HasMetadata>> KINDS =
      List.of(
          KvorumCluster.class,
          KvorumTopology.class,
          KvorumLoadTest.class,
          KvorumTask.class,
          KvorumBackup.class,
          KvorumBackupSchedule.class,
          KvorumUser.class,
          KvorumRole.class);

  @TempDir Path generated;

  @Test
  void theCommittedDefinitionsAreThoseOfTheTypes() throws IOException {
    CRDGenerator generator =
        new CRDGenerator().forCRDVersions("v1").inOutputDir(generated.toFile());
    for (Class<? extends HasMetadata> kind : KINDS) {
      generator.customResourceClasses(List.of(kind));
    }
    generator.generate();
    for (Class<? extends HasMetadata> kind : KINDS) {
      String name = HasMetadata.getFullResourceName(kind);
      String text = asWritten(kind, Files.readString(generated.resolve(name + "-v1.yml")));
      Path file = COMMITTED.resolve(name + ".yaml");
      if (Boolean.getBoolean("crd.write")) {
        Files.createDirectories(COMMITTED);
        Files.writeString(file, text);
      }
      assertThat(file).as("run with -Dcrd.write=true and commit").exists();
      assertThat(Files.readString(file)).as(name).isEqualTo(text);
    }
  }

  @Test
  void whatPlacesCopiesCannotBeChanged() throws IOException {
    JSONSchemaProps schema =
        Serialization.unmarshal(
                Files.readString(COMMITTED.resolve("kvorumclusters.kvorum.dev.yaml")),
                CustomResourceDefinition.class)
            .getSpec()
            .getVersions()
            .getFirst()
            .getSchema()
            .getOpenAPIV3Schema();
    for (List<String> path :
        List.of(List.of("spec", "replication"), List.of("spec", "zones", "key"))) {
      assertThat(part(schema, path).getXKubernetesValidations())
          .as(path.toString())
          .extracting(rule -> rule.getRule())
          .contains("self == oldSelf");
    }
  }

  private static JSONSchemaProps part(JSONSchemaProps schema, List<String> path) {
    JSONSchemaProps part = schema;
    for (String name : path) {
      part = Objects.requireNonNull(part.getProperties().get(name), name);
    }
    return part;
  }

  /**
   * The generator sorts the columns by name, sees a record's annotations twice, and knows nothing
   * of what Kubernetes expects of conditions.
   */
  private static String asWritten(Class<?> kind, String text) {
    CustomResourceDefinition crd = Serialization.unmarshal(text, CustomResourceDefinition.class);
    for (CustomResourceDefinitionVersion version : crd.getSpec().getVersions()) {
      List<String> order =
          Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
              .map(AdditionalPrinterColumn::name)
              .toList();
      List<CustomResourceColumnDefinition> columns =
          new ArrayList<>(version.getAdditionalPrinterColumns());
      columns.sort(Comparator.comparingInt(column -> order.indexOf(column.getName())));
      version.setAdditionalPrinterColumns(columns);
      JSONSchemaProps schema = version.getSchema().getOpenAPIV3Schema();
      eachRuleOnce(schema);
      JSONSchemaProps status = schema.getProperties().get("status");
      if (status != null && status.getProperties() != null) {
        Optional.ofNullable(status.getProperties().get("conditions"))
            .ifPresent(CrdTest::completeConditions);
      }
    }
    return "# Generated from dev.kvorum.operator.api by CrdTest; not to be edited.\n"
        + Serialization.asYaml(crd);
  }

  private static void completeConditions(JSONSchemaProps conditions) {
    conditions.setXKubernetesListType("map");
    conditions.setXKubernetesListMapKeys(List.of("type"));
    JSONSchemaProps condition = conditions.getItems().getSchema();
    condition.setRequired(List.of("lastTransitionTime", "message", "reason", "status", "type"));
    part(condition, List.of("lastTransitionTime")).setFormat("date-time");
  }

  private static void eachRuleOnce(JSONSchemaProps schema) {
    if (schema.getXKubernetesValidations() != null) {
      schema.setXKubernetesValidations(
          List.copyOf(new LinkedHashSet<>(schema.getXKubernetesValidations())));
    }
    if (schema.getProperties() != null) {
      schema.getProperties().values().forEach(CrdTest::eachRuleOnce);
    }
    if (schema.getItems() != null && schema.getItems().getSchema() != null) {
      eachRuleOnce(schema.getItems().getSchema());
    }
  }
}
