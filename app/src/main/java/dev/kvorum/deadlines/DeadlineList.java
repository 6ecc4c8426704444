package dev.kvorum.deadlines;

/**
 * What has a deadline, the earliest first. An entry is itself a link of the list, so that it leaves
 * in constant time and nothing refers to it afterwards. Adding walks past the entries that are due
 * later, of which there are few when most have the same timeout. Confined to an event loop.
 */
public final class DeadlineList {
  private final Entry ends =
      new Entry() {
        @Override
        protected void expired() {
          throw new IllegalStateException("the ends of a list never expire");
        }
      };

  /** Something that has a deadline; in one list at most. */
  public abstract static class Entry {
    private long dueNanos;
    private Entry before = this;
    private Entry after = this;

    /** It did not end in time. It is not in the list any longer. */
    protected abstract void expired();

    /** Returns whether it is in a list. */
    @SuppressWarnings("ReferenceEquality") // alone, it is its own neighbour
    protected final boolean isListed() {
      return after != this;
    }

    /** Takes it out of its list, if it is in one. */
    protected final void leave() {
      before.after = after;
      after.before = before;
      before = this;
      after = this;
    }
  }

  /**
   * Adds an entry that is in no list.
   *
   * @param dueNanos its deadline, in nanoseconds of a monotonic clock
   */
  @SuppressWarnings("ReferenceEquality") // where the list ends
  public void add(Entry entry, long dueNanos) {
    Entry last = ends.before;
    while (last != ends && last.dueNanos - dueNanos > 0) {
      last = last.before;
    }
    entry.dueNanos = dueNanos;
    entry.before = last;
    entry.after = last.after;
    last.after.before = entry;
    last.after = entry;
  }

  /** Lets those expire whose deadline has passed. */
  @SuppressWarnings("ReferenceEquality") // where the list ends
  public void expire(long nowNanos) {
    for (Entry first = ends.after;
        first != ends && first.dueNanos - nowNanos <= 0;
        first = ends.after) {
      first.leave();
      first.expired();
    }
  }

  /** Returns whether nothing has a deadline. */
  public boolean isEmpty() {
    return !ends.isListed();
  }

  /** The earliest deadline of a list that is not empty. */
  long firstDueNanos() {
    return ends.after.dueNanos;
  }
}
