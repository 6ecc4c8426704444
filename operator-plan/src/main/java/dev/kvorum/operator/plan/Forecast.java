package dev.kvorum.operator.plan;

import dev.kvorum.operator.api.TopologyMember;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where slots are along a {@link ScalePath}.
 *
 * @param path the members at each step
 * @param now the placement at the first step
 * @param slots at each step, how many slots a member keeps
 * @param moved how many copies of slots are sent, at all steps together
 */
record Forecast(
    List<List<TopologyMember>> path, Placement now, List<Map<String, Integer>> slots, int moved) {
  /** Clusters with a forecast at the same time for which it is not computed at each report. */
  private static final int REMEMBERED_MAX = 8;

  /** A table of 99 members takes half a second, and a report is made twice a second. */
  private static final Map<Question, Forecast> REMEMBERED =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Question, Forecast> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  private record Question(List<List<TopologyMember>> path, int copies) {}

  static Forecast of(List<List<TopologyMember>> path, int copies) {
    Question question = new Question(path, copies);
    synchronized (REMEMBERED) {
      return REMEMBERED.computeIfAbsent(question, Forecast::compute);
    }
  }

  private static Forecast compute(Question question) {
    List<Placement> placements = Placement.of(question.path(), question.copies());
    int moved = 0;
    for (int step = 1; step < placements.size(); step++) {
      moved += placements.get(step).gained(placements.get(step - 1));
    }
    return new Forecast(
        question.path(),
        placements.getFirst(),
        placements.stream().map(Placement::slots).toList(),
        moved);
  }

  /** Returns how many slots a member keeps at first; 0 if it is not one. */
  int slotsNow(String member) {
    return slots.getFirst().getOrDefault(member, 0);
  }

  /** Returns how many slots a member keeps at last. */
  int slotsThen(String member) {
    return slots.getLast().getOrDefault(member, 0);
  }
}
