package io.movr.users;

import org.jspecify.annotations.Nullable;

/** The two columns of a user that the covering index of stage 4 carries. */
public record NameAndCard(@Nullable String name, @Nullable String creditCard) {

    /** Without the number, because text ends up in logs. */
    @Override
    public String toString() {
        return "NameAndCard[name=" + name + ", creditCard=" + User.masked(creditCard) + "]";
    }
}
