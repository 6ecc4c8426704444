package dev.kvorum.auth;

import dev.kvorum.data.Key;
import dev.kvorum.data.KeyRange;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a user may do, by keys. */
public final class Rights {
  /** Everything. */
  static final Rights ALL = of(List.of(new Rule(KeyRange.ALL, Set.of(Verb.values()))));

  /** To read everything. */
  static final Rights READ = of(List.of(new Rule(KeyRange.ALL, Set.of(Verb.GET, Verb.RANGE))));

  /** Nothing. */
  static final Rights NONE = of(List.of());

  private final Map<Verb, KeySet> keys;

  private Rights(Map<Verb, KeySet> keys) {
    this.keys = keys;
  }

  /** What may be done with some keys. */
  record Rule(KeyRange keys, Set<Verb> verbs) {
    Rule {
      verbs = Set.copyOf(verbs);
    }
  }

  /** The rights that some rules give together. */
  static Rights of(Collection<Rule> rules) {
    Map<Verb, KeySet> keys = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      keys.put(
          verb,
          KeySet.of(
              rules.stream().filter(rule -> rule.verbs().contains(verb)).map(Rule::keys).toList()));
    }
    return new Rights(keys);
  }

  private KeySet keys(Verb verb) {
    return keys.getOrDefault(verb, KeySet.NONE);
  }

  /** Whether something may be done with a key. */
  public boolean allow(Verb verb, Key key) {
    return keys(verb).contains(key);
  }

  /** Whether something may be done with each key of a range. */
  public boolean allow(Verb verb, KeyRange range) {
    return keys(verb).containsAll(range);
  }
}
