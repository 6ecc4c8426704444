package dev.kvorum.backup.objectstore;

import dev.kvorum.backup.objectstore.ObjectStoreException.Reason;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What failures of a volume mean. Java knows most of them only by the system's message. */
final class VolumeFailures {
  private final Path root;

  VolumeFailures(Path root) {
    this.root = root;
  }

  ObjectStoreException of(String doing, IOException e) {
    if (e instanceof ObjectStoreException already) {
      return already;
    }
    String sentence = "cannot " + doing + " in " + root + ": " + explained(e);
    return new ObjectStoreException(reason(e), sentence, e);
  }

  private Reason reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return Reason.DENIED;
    }
    if (e instanceof NoSuchFileException && !Files.isDirectory(root)) {
      return Reason.NOT_FOUND;
    }
    String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (text.contains("no space left") || text.contains("quota exceeded")) {
      return Reason.FULL;
    }
    if (text.contains("read-only file system") || text.contains("not permitted")) {
      return Reason.DENIED;
    }
    boolean otherKind = text.contains("not a directory") || text.contains("is a directory");
    if (otherKind || isOccupied(e)) {
      return Reason.INVALID;
    }
    return Reason.UNAVAILABLE;
  }

  /** Another kind of file has the name. */
  private static boolean isOccupied(IOException e) {
    return e instanceof FileAlreadyExistsException
        || e instanceof DirectoryNotEmptyException
        || e instanceof NotDirectoryException;
  }

  private static String explained(IOException e) {
    return switch (e) {
      case AccessDeniedException denied -> "access is denied to " + denied.getFile();
      case NoSuchFileException absent -> "there is no " + absent.getFile();
      case FileAlreadyExistsException occupied -> occupied.getFile() + " is no directory";
      default -> String.valueOf(e.getMessage());
    };
  }

  /** A volume that is no longer mounted has no objects, which does not mean that they are gone. */
  void checkRoot(IOException e) throws ObjectStoreException {
    if (!Files.isDirectory(root)) {
      throw new ObjectStoreException(
          Reason.NOT_FOUND, "the directory " + root + " is no longer there", e);
    }
  }

  void checkNoLinks(Path file) throws ObjectStoreException {
    for (Path at : pathTo(file)) {
      if (Files.isSymbolicLink(at)) {
        throw new ObjectStoreException(
            Reason.INVALID, at + " is a symbolic link, which could lead out of " + root);
      }
    }
  }

  /** Whether the file cannot be there because a directory of its path is itself an object. */
  boolean isBelowAnObject(Path file) {
    return directoriesTo(file).stream()
        .anyMatch(at -> Files.isRegularFile(at, LinkOption.NOFOLLOW_LINKS));
  }

  /** The directories below the root that a file is in, the outermost first. */
  List<Path> directoriesTo(Path file) {
    List<Path> path = pathTo(file);
    return path.subList(0, path.size() - 1);
  }

  /** The same and the file, which is below the root. */
  List<Path> pathTo(Path file) {
    List<Path> path = new ArrayList<>();
    Path at = root;
    for (Path segment : root.relativize(file)) {
      at = at.resolve(segment);
      path.add(at);
    }
    return path;
  }

  InputStream mapping(String doing, InputStream in) {
    return new MappedInput(in, e -> of(doing, e));
  }
}
