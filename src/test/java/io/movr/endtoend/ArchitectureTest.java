package io.movr.endtoend;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private static final String ROOT_PACKAGE = "io.movr";
    private static final int MOST_BOXES = 15;

    /** Without what Spring makes of them in the build. */
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("__"))
            .importPaths(Stream.of(
                            "movr-database",
                            "movr-schema",
                            "movr-cache",
                            "movr-app",
                            "movr-lab",
                            "movr-bench",
                            "movr-regions",
                            "movr-cli",
                            "movr-load",
                            "movr-testing")
                    .map(module -> MovrProgram.ROOT.resolve(module).resolve("target/classes"))
                    .toList());

    /** The picture in CONTRIBUTING.md: boxes with the packages in each, and which box uses which. */
    private record Picture(Map<String, String> boxes, Map<String, Set<String>> arrows) {

        private static final Pattern BOX = Pattern.compile("^ +(\\w+)\\[\"[^\"<]+<br>([\\w, ]+)\"]$");
        private static final Pattern ARROW = Pattern.compile("^ +(\\w+) --> ([\\w &]+)$");

        static Picture read() throws IOException {
            Path file = MovrProgram.ROOT.resolve("CONTRIBUTING.md");
            List<String> lines = Files.readString(file)
                    .replaceFirst("(?s).*```mermaid\n", "")
                    .replaceFirst("(?s)```.*", "")
                    .lines()
                    .skip(1)
                    .toList();
            Map<String, String> boxes = new HashMap<>();
            Map<String, Set<String>> arrows = new TreeMap<>();
            for (String line : lines) {
                Matcher box = BOX.matcher(line);
                Matcher arrow = ARROW.matcher(line);
                if (box.matches()) {
                    for (String name : box.group(2).split(", ", -1)) {
                        assertThat(boxes.put(ROOT_PACKAGE + "." + name, box.group(1)))
                                .as(name)
                                .isNull();
                    }
                } else {
                    assertThat(arrow.matches()).as(line).isTrue();
                    arrows.put(
                            arrow.group(1), new TreeSet<>(List.of(arrow.group(2).split(" & ", -1))));
                }
            }
            return new Picture(boxes, arrows);
        }

        /** The box of a class: that of its package, or its own where a package is in several modules. */
        String boxOf(JavaClass one) {
            String packageName = one.getPackageName();
            while (!boxes.containsKey(packageName) && packageName.length() > ROOT_PACKAGE.length()) {
                packageName = packageName.substring(0, packageName.lastIndexOf('.'));
            }
            String name = one.getFullName().replaceFirst("\\$.*", "");
            String box = boxes.getOrDefault(packageName, boxes.getOrDefault(name, ""));
            assertThat(box).as("the box of " + name).isNotEmpty();
            return box;
        }

        Set<String> reachableFrom(String box) {
            Set<String> seen = new HashSet<>();
            Deque<String> open = new ArrayDeque<>(List.of(box));
            while (!open.isEmpty()) {
                arrows.getOrDefault(open.remove(), Set.of()).stream()
                        .filter(seen::add)
                        .forEach(open::add);
            }
            return seen;
        }
    }

    @Test
    void aBoxUsesThoseBelowItAndNoArrowIsDrawnForNothing() throws IOException {
        Picture picture = Picture.read();
        assertThat(new HashSet<>(picture.boxes().values())).hasSizeLessThanOrEqualTo(MOST_BOXES);
        Map<String, Set<String>> uses = new TreeMap<>();
        List<String> upwards = new ArrayList<>();
        for (JavaClass one : CLASSES) {
            if (one.getSimpleName().equals("package-info")) {
                continue;
            }
            String from = picture.boxOf(one);
            for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
                JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (!target.getPackageName().startsWith(ROOT_PACKAGE)) {
                    continue;
                }
                String to = picture.boxOf(target);
                if (!from.equals(to)) {
                    uses.computeIfAbsent(from, box -> new TreeSet<>()).add(to);
                    if (!picture.reachableFrom(from).contains(to)) {
                        upwards.add(dependency.getDescription());
                    }
                }
            }
        }
        assertThat(upwards).isEmpty();
        picture.arrows().forEach((from, to) -> assertThat(to).as(from).isSubsetOf(uses.getOrDefault(from, Set.of())));
    }

    @Test
    void packagesFormNoCircles() {
        slices().matching("io.movr.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .check(CLASSES);
    }
}
