package io.movr.users;

import org.jspecify.annotations.Nullable;
import org.springframework.data.annotation.Id;
import org.springframework.data.relational.core.mapping.Embedded;
import org.springframework.data.relational.core.mapping.Table;

/**
 * A user as the table holds it, where everything but the key may be missing.
 *
 * @param creditCard the whole number, which leaves the service masked only, see {@link #maskedCard}
 */
@Table("users")
public record User(
        @Id @Embedded.Empty UserId key,
        @Nullable String name,
        @Nullable String address,
        @Nullable String creditCard) {

    private static final int SHOWN_DIGITS = 4;
    private static final int MIN_CARD_LENGTH = 12;

    /** Returns the credit card number as it may be shown: its last four digits, if it is long enough to hide the others. */
    @Nullable
    String maskedCard() {
        return masked(creditCard);
    }

    /** Returns a number as {@link #maskedCard} shows it. */
    static @Nullable String masked(@Nullable String creditCard) {
        if (creditCard == null) {
            return null;
        }
        int shown = creditCard.length() < MIN_CARD_LENGTH ? 0 : SHOWN_DIGITS;
        int hidden = creditCard.length() - shown;
        return "*".repeat(hidden) + creditCard.substring(hidden);
    }

    /** Returns a text without the card number, because texts are logged. */
    @Override
    public String toString() {
        return "User[key=" + key + ", name=" + name + ", address=" + address + ", creditCard=" + maskedCard() + "]";
    }
}
