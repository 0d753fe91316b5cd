package io.movr.lab;

import io.movr.dataset.Answers;
import io.movr.published.PublishedFigures;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The experiments of this program. Each is a folder among its resources, {@code experiments/ID}, which is read as the folders
 * of users are; the experiments that need regions are in {@link RegionalExperiments}.
 */
final class BuiltInExperiments {

    private static final long SEED = 1;

    private BuiltInExperiments() {}

    /** The ids of all experiments, in the order of the published figures. */
    static List<String> ids() {
        return Stream.concat(ofOneRegion().stream(), RegionalExperiments.ids().stream())
                .toList();
    }

    /** The ids of the experiments that need one region only. */
    static List<String> ofOneRegion() {
        return List.copyOf(Folders.BY_ID.keySet());
    }

    /** Reads experiments, with the answers that a dataset must give. */
    static List<Experiment> of(List<String> wanted, Answers answers) {
        PublishedFigures published = PublishedFigures.load();
        return ids().stream()
                .filter(wanted::contains)
                .map(id -> {
                    Path folder = Folders.BY_ID.get(id);
                    Experiment experiment = folder == null
                            ? RegionalExperiments.of(id, answers)
                            : ExperimentFolder.read(folder, false, SEED, () -> answers);
                    return experiment.builtIn(published.of(id));
                })
                .toList();
    }

    /** The folders, listed once. */
    private static final class Folders {

        private static final Map<String, Path> BY_ID = new LinkedHashMap<>();

        static {
            List<String> published = PublishedFigures.load().experiments();
            list().stream()
                    .sorted(Comparator.comparing((Path folder) -> place(published, name(folder)))
                            .thenComparing(Folders::name))
                    .forEach(folder -> BY_ID.put(name(folder), folder));
        }

        private static String name(Path folder) {
            return String.valueOf(folder.getFileName());
        }

        /** An experiment without a published figure comes last. */
        private static int place(List<String> published, String id) {
            int index = published.indexOf(id);
            return index < 0 ? Integer.MAX_VALUE : index;
        }

        private static List<Path> list() {
            try {
                URI root = Objects.requireNonNull(BuiltInExperiments.class.getResource("experiments"))
                        .toURI();
                // The file system of a jar stays open, because the folders are read later.
                Path parent =
                        root.getScheme().equals("jar") ? jar(root).provider().getPath(root) : Path.of(root);
                try (Stream<Path> folders = Files.list(parent)) {
                    return folders.toList();
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
}
