package io.movr.load;

import java.util.HashMap;
import java.util.Map;
import java.util.prefs.AbstractPreferences;
import java.util.prefs.Preferences;
import java.util.prefs.PreferencesFactory;
import org.jspecify.annotations.Nullable;

/**
 * Preferences that are kept in memory only. Gatling stores there when it last asked Maven Central for a newer version. Here that
 * time is in the far future, so that Gatling never asks.
 */
public final class InMemoryPreferences implements PreferencesFactory {

    private final Preferences root = new Node(null, "");

    /** Creates the factory; the Java runtime finds it by {@code java.util.prefs.PreferencesFactory}. */
    public InMemoryPreferences() {
        Preferences gatling = root.node("/io/gatling/latestVersion");
        gatling.put("lastCheckTimestamp", Long.toString(Long.MAX_VALUE));
        gatling.put("lastCheckSuccess", "false");
    }

    @Override
    public Preferences systemRoot() {
        return root;
    }

    @Override
    public Preferences userRoot() {
        return root;
    }

    private static final class Node extends AbstractPreferences {

        private final Map<String, String> values = new HashMap<>();
        private final Map<String, Node> children = new HashMap<>();

        private Node(@Nullable Node parent, String name) {
            super(parent, name);
        }

        @Override
        protected void putSpi(String key, String value) {
            values.put(key, value);
        }

        @Override
        protected @Nullable String getSpi(String key) {
            return values.get(key);
        }

        @Override
        protected void removeSpi(String key) {
            values.remove(key);
        }

        @Override
        protected void removeNodeSpi() {
            values.clear();
        }

        @Override
        protected String[] keysSpi() {
            return values.keySet().toArray(String[]::new);
        }

        @Override
        protected String[] childrenNamesSpi() {
            return children.keySet().toArray(String[]::new);
        }

        @Override
        protected AbstractPreferences childSpi(String name) {
            return children.computeIfAbsent(name, child -> new Node(this, child));
        }

        @Override
        protected void syncSpi() {
            // There is no backing store to synchronise with.
        }

        @Override
        protected void flushSpi() {
            // There is no backing store to write to.
        }
    }
}
