package io.movr.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The folders of experiments among the resources of this program. */
final class BuiltInFolders {

    private BuiltInFolders() {}

    /** All of them, sorted by their names. */
    static List<Path> all() {
        try {
            URI root = Objects.requireNonNull(BuiltInFolders.class.getResource("experiments"))
                    .toURI();
            // A file system of a jar stays open, because its paths are read again for each run.
            Path folder = root.getScheme().equals("jar") ? jar(root).provider().getPath(root) : Path.of(root);
            try (Stream<Path> all = Files.list(folder)) {
                return all.sorted().toList();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (URISyntaxException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    private static FileSystem jar(URI root) throws IOException {
        try {
            return FileSystems.newFileSystem(root, Map.of());
        } catch (FileSystemAlreadyExistsException open) {
            return FileSystems.getFileSystem(root);
        }
    }
}
