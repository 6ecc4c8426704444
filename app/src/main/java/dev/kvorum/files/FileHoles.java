package dev.kvorum.files;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Frees the space of parts of files, which then read as zeros: {@code fallocate(2)} of Linux, which
 * Java does not offer. A file keeps its length.
 */
@SuppressWarnings("restricted") // calls of native functions
public final class FileHoles {
  private static final int READ_WRITE = 2;
  private static final int PUNCH_HOLE = 2;
  private static final int KEEP_SIZE = 1;

  private FileHoles() {}

  /** Functions of the C library. */
  private static final class Native {
    private static final Optional<MethodHandle> OPEN =
        function(
            "open",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
            Linker.Option.firstVariadicArg(2));
    private static final Optional<MethodHandle> FALLOCATE =
        function(
            "fallocate",
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT,
                ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_LONG));
    private static final Optional<MethodHandle> CLOSE =
        function("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private static Optional<MethodHandle> function(
        String name, FunctionDescriptor type, Linker.Option... options) {
      Linker linker = Linker.nativeLinker();
      return linker.defaultLookup().find(name).map(at -> linker.downcallHandle(at, type, options));
    }
  }

  /**
   * Frees the blocks that are completely between two offsets. Blocks.
   *
   * @throws IOException also if the system or the file system cannot do that
   */
  public static void punch(Path file, long from, long to) throws IOException {
    MethodHandle fallocate = Native.FALLOCATE.orElseThrow(() -> unsupported(file));
    MethodHandle open = Native.OPEN.orElseThrow(() -> unsupported(file));
    MethodHandle close = Native.CLOSE.orElseThrow(() -> unsupported(file));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment path = arena.allocateFrom(file.toString());
      int descriptor = (int) open.invokeExact(path, READ_WRITE);
      if (descriptor < 0) {
        throw new IOException("cannot open " + file);
      }
      int result = (int) fallocate.invokeExact(descriptor, PUNCH_HOLE | KEEP_SIZE, from, to - from);
      int closed = (int) close.invokeExact(descriptor);
      if (result != 0 || closed != 0) {
        throw unsupported(file);
      }
    } catch (IOException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static IOException unsupported(Path file) {
    return new IOException("the space of a part of " + file + " cannot be freed here");
  }
}
