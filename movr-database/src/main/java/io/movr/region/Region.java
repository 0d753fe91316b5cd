package io.movr.region;

import java.util.regex.Pattern;

/**
 * A location of servers, named as CockroachDB names it, such as {@code us-east1}.
 *
 * @param name lower-case letters, digits and hyphens, at most 63 of them
 */
public record Region(String name) {

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");

    public Region {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("A region's name is lower-case letters, digits and hyphens, not '" + name
                    + "': name it like us-east1");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
