package io.movr.report;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReturnTree;
import com.sun.source.doctree.StartElementTree;
import com.sun.source.doctree.TextTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The Javadoc of records of this module, read from their sources. */
final class Descriptions {

    private static final Path SOURCES = Path.of("src", "main", "java");

    private final Set<Class<?>> read = new HashSet<>();
    private final Map<String, String> texts = new HashMap<>();

    /** Returns the first paragraph of a type's Javadoc, {@code null} if it has none. */
    @Nullable
    String of(Class<?> type) {
        return text(type, "");
    }

    /**
     * Returns the {@code @param} of a record's component, or the {@code @return} of the method that the component implements;
     * {@code null} if there is neither.
     */
    @Nullable
    String of(Class<?> type, String component) {
        return Stream.concat(Stream.of(type), Stream.of(type.getInterfaces()))
                .map(one -> text(one, "#" + component))
                .filter(text -> text != null)
                .findFirst()
                .orElse(null);
    }

    private @Nullable String text(Class<?> type, String member) {
        Path source = SOURCES.resolve(type.getNestHost().getName().replace('.', '/') + ".java");
        if (read.add(type.getNestHost()) && Files.exists(source)) {
            parse(source);
        }
        return texts.get(type.getCanonicalName() + member);
    }

    private void parse(Path source) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, files, null, List.of("-proc:none"), null, files.getJavaFileObjects(source));
            DocTrees docs = DocTrees.instance(task);
            for (CompilationUnitTree unit : task.parse()) {
                new Reader(docs).scan(unit, unit.getPackageName().toString());
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Collects the texts of the types of a file. The argument is the name of the enclosing type or package. */
    private final class Reader extends TreePathScanner<@Nullable Void, String> {

        private final DocTrees docs;

        private Reader(DocTrees docs) {
            this.docs = docs;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, String outer) {
            String name = outer + "." + type.getSimpleName();
            DocCommentTree doc = docs.getDocCommentTree(getCurrentPath());
            if (doc != null) {
                put(name, doc.getFullBody());
                for (DocTree tag : doc.getBlockTags()) {
                    if (tag instanceof ParamTree param) {
                        put(name + "#" + param.getName(), param.getDescription());
                    }
                }
            }
            return super.visitClass(type, name);
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, String type) {
            DocCommentTree doc = docs.getDocCommentTree(getCurrentPath());
            if (doc != null && doc.getFullBody().stream().findFirst().orElse(null) instanceof ReturnTree returned) {
                put(type + "#" + method.getName(), returned.getDescription());
            }
            return super.visitMethod(method, type);
        }

        private void put(String name, List<? extends DocTree> javadoc) {
            StringBuilder text = new StringBuilder();
            for (DocTree part : javadoc) {
                if (part instanceof StartElementTree) {
                    break;
                } else if (part instanceof TextTree plain) {
                    text.append(plain.getBody());
                } else if (part instanceof LiteralTree code) {
                    text.append('`').append(code.getBody().getBody()).append('`');
                } else if (part instanceof LinkTree link) {
                    text.append(
                            link.getLabel().isEmpty()
                                    ? "`" + link.getReference() + "`"
                                    : link.getLabel().get(0).toString());
                } else {
                    throw new IllegalStateException("The Javadoc of " + name + " has a " + part.getKind());
                }
            }
            String words = text.toString().replaceAll("\\s+", " ").strip();
            if (!words.isEmpty()) {
                texts.put(name, Character.toUpperCase(words.charAt(0)) + words.substring(1));
            }
        }
    }
}
