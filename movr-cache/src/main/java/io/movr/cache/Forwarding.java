package io.movr.cache;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Forwards calls of proxies. */
final class Forwarding {

    private Forwarding() {}

    /** Calls a method of another object, and throws its exception unwrapped. */
    static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
    }

    /** Returns the result of a method of {@code Object}, by the identity of the proxy. */
    static Object ofObject(Object handler, Object proxy, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> handler.getClass().getSimpleName() + "@" + Integer.toHexString(System.identityHashCode(proxy));
        };
    }
}
