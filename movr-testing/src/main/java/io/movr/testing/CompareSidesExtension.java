package io.movr.testing;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Gives a test of {@link CompareSides} its {@link Sides}, and fails it if it compares nothing. */
final class CompareSidesExtension implements ParameterResolver, AfterTestExecutionCallback {

    private static final Namespace NAMESPACE = Namespace.create(CompareSidesExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Sides.class
                && context.getTestMethod().isPresent();
    }

    @Override
    public Sides resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(NAMESPACE).computeIfAbsent(Sides.class, type -> sides(context), Sides.class);
    }

    private static Sides sides(ExtensionContext context) {
        CompareSides rules = AnnotationSupport.findAnnotation(context.getElement(), CompareSides.class)
                .orElseThrow();
        return new Sides(
                rules.maxSlowdownPercent(), rules.ifUnsure(), rules.blocks(), rules.samples(), System::nanoTime);
    }

    @Override
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            return;
        }
        Sides sides = context.getStore(NAMESPACE).get(Sides.class, Sides.class);
        if (sides == null || sides.summary().isEmpty()) {
            throw new AssertionError("A test with @CompareSides compared nothing: take Sides as a parameter, and call"
                    + " compare(before, after)");
        }
        context.publishReportEntry("sides", sides.summary());
    }
}
