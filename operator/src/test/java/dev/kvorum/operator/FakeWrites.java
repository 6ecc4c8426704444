package dev.kvorum.operator;

import dev.kvorum.operator.act.KubernetesWrites;
import dev.kvorum.operator.act.Writes;
import dev.kvorum.operator.resources.Labels;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Writes to a mock server, and what an API server does of them that it does not: it rejects
 * evictions, and drops annotations that come with a status.
 *
 * @param evictable whether disruption budgets allow evictions
 */
record FakeWrites(KubernetesClient client, BooleanSupplier evictable) {
  Writes of(KubernetesClient operators) {
    Writes real = new KubernetesWrites(operators);
    return (Writes)
        Proxy.newProxyInstance(
            Writes.class.getClassLoader(),
            new Class<?>[] {Writes.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                if (method.getName().equals("usersChanged")) {
                  annotate((Pod) arguments[0], (String) arguments[1]);
                }
                return result;
              } catch (InvocationTargetException failed) {
                if (method.getName().equals("evict")) {
                  return evicted((Pod) arguments[0]);
                }
                throw failed.getCause();
              }
            });
  }

  static Writes inspected(Writes real, Consumer<Object> look) {
    return (Writes)
        Proxy.newProxyInstance(
            Writes.class.getClassLoader(),
            new Class<?>[] {Writes.class},
            (proxy, method, arguments) -> {
              look.accept(arguments[0]);
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException failed) {
                throw failed.getCause();
              }
            });
  }

  private boolean evicted(Pod pod) {
    boolean allowed = evictable.getAsBoolean();
    if (allowed) {
      client.resource(pod).delete();
    }
    return allowed;
  }

  private void annotate(Pod pod, String users) {
    client
        .resource(pod)
        .edit(there ->
            new PodBuilder(there)
                .editMetadata()
                .addToAnnotations(Labels.USERS, users)
                .endMetadata()
                .build());
  }
}
