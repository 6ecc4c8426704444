package dev.kvorum.repair;

import dev.kvorum.rpc.VirtualLoop;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/** The event loop of one process in virtual time: it can be killed, or stopped and continued. */
public final class RepairLoop {
  private final ScheduledExecutorService executor;
  private final List<Runnable> held = new ArrayList<>();
  private boolean dead;
  private boolean stopped;

  public RepairLoop(VirtualLoop loop) {
    executor =
        (ScheduledExecutorService)
            Proxy.newProxyInstance(
                RepairLoop.class.getClassLoader(),
                new Class<?>[] {ScheduledExecutorService.class},
                (proxy, method, arguments) -> {
                  if (arguments != null && arguments[0] instanceof Runnable task) {
                    arguments[0] = (Runnable) () -> run(task);
                  }
                  return method.invoke(loop, arguments);
                });
  }

  public ScheduledExecutorService executor() {
    return executor;
  }

  /** Runs a task, or keeps it until the process resumes. */
  public void run(Runnable task) {
    if (dead) {
      return;
    }
    if (stopped) {
      held.add(task);
    } else {
      task.run();
    }
  }

  public void kill() {
    dead = true;
  }

  public void stop() {
    stopped = true;
  }

  /** Goes on with what has been waiting. */
  public void goOn() {
    stopped = false;
    List<Runnable> waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(this::run);
  }

  public boolean isRunning() {
    return !dead && !stopped;
  }
}
