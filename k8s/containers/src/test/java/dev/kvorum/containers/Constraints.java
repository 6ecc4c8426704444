package dev.kvorum.containers;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the operator's pods are not allowed: writing to their root file system, and privileges. */
final class Constraints {
  private Constraints() {}

  /** Sets the constraints, and returns the configuration for further ones. */
  static HostConfig apply(CreateContainerCmd create, long memoryBytes, String temporarySize) {
    return Objects.requireNonNull(create.getHostConfig())
        .withReadonlyRootfs(true)
        .withCapDrop(Capability.ALL)
        .withSecurityOpts(List.of("no-new-privileges"))
        .withMemory(memoryBytes)
        .withMemorySwap(memoryBytes)
        // Stricter than a pod's, which may run programs there.
        .withTmpFs(Map.of("/tmp", "rw,noexec,nosuid,size=" + temporarySize + ",mode=1777"));
  }
}
