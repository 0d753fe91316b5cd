package io.movr.testing;

import io.movr.database.Databases;
import io.movr.database.EmbeddedPostgres;
import io.movr.database.Gateway;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Makes the databases of {@link Regions}, each on one server that all tests share. JUnit closes what it keeps here. */
final class RegionsExtension implements ParameterResolver {

    private static final Namespace NAMESPACE = Namespace.create(RegionsExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RegionalDatabase.class;
    }

    @Override
    public RegionalDatabase resolveParameter(ParameterContext parameter, ExtensionContext context) {
        List<String> regions = List.of(nearest(context).value());
        Store servers = context.getRoot().getStore(NAMESPACE);
        return context.getStore(NAMESPACE)
                .computeIfAbsent(
                        regions,
                        names -> {
                            EmbeddedPostgres server = servers.computeIfAbsent(
                                    EmbeddedPostgres.class,
                                    type -> EmbeddedPostgres.temporary(),
                                    EmbeddedPostgres.class);
                            Databases databases = new Databases(server);
                            Gateway database = databases.create("test");
                            return new RegionalDatabase(database, regions, databases::close);
                        },
                        RegionalDatabase.class);
    }

    private static Regions nearest(ExtensionContext context) {
        Optional<ExtensionContext> at = Optional.of(context);
        while (at.isPresent()) {
            Optional<Regions> regions =
                    AnnotationSupport.findAnnotation(at.get().getElement(), Regions.class);
            if (regions.isPresent()) {
                return regions.get();
            }
            at = at.get().getParent();
        }
        throw new IllegalStateException("There is no @Regions at this test");
    }
}
