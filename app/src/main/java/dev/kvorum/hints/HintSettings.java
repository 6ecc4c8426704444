package dev.kvorum.hints;

import dev.kvorum.settings.Bounds;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Settings {@code kvorum.hints.*}: hints for members that are unreachable.
 *
 * @param max bytes of all hints on this node, up to 1 TB; 0: none are kept
 * @param ageMax age at which a hint is dropped
 * @param rateMax bytes per second pushed to one member, at least 1 B
 * @param interval time between checks for reachable members that have hints
 * @param pageMax hints in flight to one member, 1 to 65536
 * @param pullMax longest time that a starting node pulls its hints
 */
public record HintSettings(
    @DefaultValue("256MB") DataSize max,
    @DefaultValue("3h") Duration ageMax,
    @DefaultValue("8MB") DataSize rateMax,
    @DefaultValue("1s") Duration interval,
    @DefaultValue("256") int pageMax,
    @DefaultValue("30s") Duration pullMax) {
  public HintSettings {
    Bounds.between("kvorum.hints.page-max", pageMax, 1, 65_536);
    Bounds.positive("kvorum.hints.interval", interval);
    Bounds.bytes("kvorum.hints.rate-max", rateMax.toBytes(), 1, Long.MAX_VALUE);
    Bounds.bytes("kvorum.hints.max", max.toBytes(), 0, 1L << 40);
  }

  /** {@code rateMax} in bytes per second. */
  long bytesPerSecond() {
    return rateMax.toBytes();
  }
}
