package io.movr.users;

import org.jspecify.annotations.Nullable;

/** The two columns of a user that the covering index of stage 4 carries. */
public record NameAndCard(@Nullable String name, @Nullable String creditCard) {

    /** Returns a text without the card number, because texts are logged. */
    @Override
    public String toString() {
        return "NameAndCard[name=" + name + ", creditCard=" + User.masked(creditCard) + "]";
    }
}
