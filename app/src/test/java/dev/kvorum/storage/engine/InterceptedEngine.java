package dev.kvorum.storage.engine;

import dev.kvorum.storage.ChecksumVerifier;
import dev.kvorum.storage.rocks.StoreFixture;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** An engine, and its batches, each of whose calls passes a test. */
final class InterceptedEngine {
  private InterceptedEngine() {}

  /** What a test does around a call. */
  interface Interceptor {
    /** Makes the call, or something else in its place. */
    @Nullable Object around(String method, Call call) throws Throwable;
  }

  /** The call of the engine. */
  interface Call {
    @Nullable Object make() throws Throwable;
  }

  /** Whether a method writes a batch, with an fsync or without. */
  static boolean isWrite(String method) {
    return method.equals("writeSynced") || method.equals("writeUnsynced");
  }

  /** Opens a store on such an engine. */
  static RecordStore open(Path directory, Interceptor interceptor) {
    StoreSettings settings = StoreFixture.settings(directory);
    return RecordStore.on(
        intercepted(Engine.class, StoreFixture.engine(settings), interceptor),
        settings,
        StoreFixture.probes(new ChecksumVerifier()),
        damage -> {},
        StoreThreads.platform());
  }

  private static <T> T intercepted(Class<T> type, T intact, Interceptor interceptor) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) ->
                interceptor.around(
                    method.getName(), () -> make(intact, method, arguments, interceptor))));
  }

  private static @Nullable Object make(
      Object intact, Method method, Object[] arguments, Interceptor interceptor) throws Throwable {
    try {
      Object result = method.invoke(intact, arguments);
      return result instanceof EngineBatch batch
          ? intercepted(EngineBatch.class, batch, interceptor)
          : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
