package io.movr.compare;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files and folders, named by what distinguishes them. */
public final class VariantNames {

    private static final Pattern EXTENSION = Pattern.compile("(.+)\\.(json|txt|csv|out|log)");
    private static final int SHORTEST = 4;

    private VariantNames() {}

    /** Returns one name a source, in their order, no two alike. */
    public static List<String> of(List<Path> sources) {
        List<List<String>> paths = sources.stream().map(VariantNames::parts).toList();
        int longest = paths.stream().mapToInt(List::size).max().orElse(1);
        List<String> names = lastParts(paths, 1);
        for (int number = 2; number <= longest && !areDistinct(names); number++) {
            names = lastParts(paths, number);
        }
        if (!areDistinct(names)) {
            // The same one twice: longer names would not tell them apart either.
            names = lastParts(paths, 1);
        }
        names = shortened(names, VariantNames::withoutFirstWord);
        names = shortened(names, VariantNames::withoutLastWord);
        Map<String, Integer> seen = new LinkedHashMap<>();
        List<String> distinct = new ArrayList<>();
        for (String name : names) {
            int number = seen.merge(name, 1, Integer::sum);
            distinct.add(number == 1 ? name : name + " (" + number + ")");
        }
        return distinct;
    }

    private static List<String> parts(Path source) {
        List<String> parts = new ArrayList<>();
        // Several files of one side are called by the first of them.
        Path first = Path.of(source.toString().split(ResultFiles.SEPARATOR, 2)[0]);
        (Files.exists(source) ? source : first)
                .toAbsolutePath()
                .normalize()
                .forEach(part -> parts.add(part.toString()));
        if (parts.isEmpty()) {
            return List.of("root");
        }
        String last = parts.get(parts.size() - 1);
        Matcher named = EXTENSION.matcher(last);
        if (named.matches()) {
            parts.set(parts.size() - 1, named.group(1));
        }
        return parts;
    }

    /** Returns the last parts of each path, without the common parts at its end. */
    private static List<String> lastParts(List<List<String>> paths, int number) {
        int alike = 0;
        while (alike < number - 1) {
            int fromEnd = alike + 1;
            long different = paths.stream()
                    .map(path -> path.size() < fromEnd ? "" : path.get(path.size() - fromEnd))
                    .distinct()
                    .count();
            if (different > 1) {
                break;
            }
            alike++;
        }
        int end = alike;
        return paths.stream()
                .map(path -> String.join(
                        "/", path.subList(Math.max(0, path.size() - number), Math.max(1, path.size() - end))))
                .toList();
    }

    private static boolean areDistinct(List<String> names) {
        return new HashSet<>(names).size() == names.size();
    }

    /** Takes words away that all names have in common, as long as something telling is left. */
    private static List<String> shortened(List<String> names, UnaryOperator<String> shorten) {
        List<String> current = names;
        while (true) {
            List<String> shorter = current.stream().map(shorten).toList();
            List<String> longer = current;
            long taken = java.util.stream.IntStream.range(0, longer.size())
                    .mapToObj(index -> longer.get(index).replace(shorter.get(index), "\0"))
                    .distinct()
                    .count();
            boolean telling = shorter.stream().allMatch(name -> name.length() >= SHORTEST) && !shorter.equals(current);
            if (!telling || taken > 1 || areDistinct(current) != areDistinct(shorter) || !areDistinct(current)) {
                return current;
            }
            current = shorter;
        }
    }

    private static String withoutFirstWord(String name) {
        return name.substring(name.indexOf('-') + 1);
    }

    private static String withoutLastWord(String name) {
        int end = name.lastIndexOf('-');
        return end < 0 ? name : name.substring(0, end);
    }

    /** Returns whether a person may mean a variant by a text: its name, or the path, folder or file that it came from. */
    static boolean isMeant(String text, String name, Path source) {
        return Arrays.asList(name, source.toString(), source.getFileName() + "", String.join("/", parts(source)))
                        .contains(text)
                || parts(source).get(parts(source).size() - 1).equals(text);
    }
}
