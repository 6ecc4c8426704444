package dev.kvorum.config;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Reads of ranges. Each keeps at most two pages of each member in memory, or one record that is
 * larger than a page.
 *
 * @param streamsMax ranges that are read at a time; one more is refused with 503
 * @param pageRecords most records that a member is asked for at once
 * @param pageBytes most bytes of them
 * @param pageTimeout how long a member may take for them, retries included, before it is left out
 * @param idleTimeout how long a client may take nothing before it is cut off
 */
public record RangeProperties(
    @DefaultValue("8") int streamsMax,
    @DefaultValue("256") int pageRecords,
    @DefaultValue("64KB") DataSize pageBytes,
    @DefaultValue("3s") Duration pageTimeout,
    @DefaultValue("30s") Duration idleTimeout) {
  public RangeProperties {
    Bounds.between("kvorum.range.streams-max", streamsMax, 1, 65_536);
    Bounds.between("kvorum.range.page-records", pageRecords, 1, 65_536);
    Bounds.bytes("kvorum.range.page-bytes", pageBytes, 1, 4 << 20);
    Bounds.positive("kvorum.range.page-timeout", pageTimeout);
    Bounds.positive("kvorum.range.idle-timeout", idleTimeout);
  }
}
