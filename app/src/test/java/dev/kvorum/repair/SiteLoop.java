package dev.kvorum.repair;

import dev.kvorum.replica.VirtualLoop;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/** The event loop of one process in virtual time: it can be killed, or stopped and continued. */
final class SiteLoop {
  private final ScheduledExecutorService executor;
  private final List<Runnable> held = new ArrayList<>();
  private boolean dead;
  private boolean stopped;

  SiteLoop(VirtualLoop loop) {
    executor =
        (ScheduledExecutorService)
            Proxy.newProxyInstance(
                SiteLoop.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                  if (arguments != null && arguments[0] instanceof Runnable task) {
                    arguments[0] = (Runnable) () -> run(task);
                  }
                  return method.invoke(loop, arguments);
                });
  }

  ScheduledExecutorService executor() {
    return executor;
  }

  /** Runs a task, or keeps it until the process goes on. */
  void run(Runnable task) {
    if (dead) {
      return;
    }
    if (stopped) {
      held.add(task);
    } else {
      task.run();
    }
  }

  void kill() {
    dead = true;
  }

  void stop() {
    stopped = true;
  }

  /** Goes on with what has been waiting. */
  void goOn() {
    stopped = false;
    List<Runnable> waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(this::run);
  }

  boolean isRunning() {
    return !dead && !stopped;
  }
}
