package io.movr.promos;

import io.movr.datasource.Transactions;
import io.movr.idempotency.IdempotentWrites;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.idempotency.IdempotentWrites.Write;
import io.movr.region.InstanceRegion;
import io.movr.users.UserId;
import io.movr.users.UserService;
import io.movr.web.Page;
import io.movr.web.Problem;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates promo codes, and counts their uses. A use is a discount on one ride: the first that the user ends after applying the
 * code. How often a code may be used is counted for each user, because counting over all users would read every region.
 */
@Service
public class PromoCodeService {

    private final PromoCodes codes;
    private final UserPromoCodes uses;
    private final UserService users;
    private final Transactions transactions;
    private final IdempotentWrites writes;
    private final InstanceRegion instanceRegion;
    private final JsonMapper json;
    private final Clock clock;

    PromoCodeService(
            PromoCodes codes,
            UserPromoCodes uses,
            UserService users,
            Transactions transactions,
            IdempotentWrites writes,
            InstanceRegion instanceRegion,
            JsonMapper json,
            Clock clock) {
        this.codes = codes;
        this.uses = uses;
        this.users = users;
        this.transactions = transactions;
        this.writes = writes;
        this.instanceRegion = instanceRegion;
        this.json = json;
        this.clock = clock;
    }

    Answer<PromoCodeView> create(@Nullable String key, NewPromoCode creation) {
        Write write = new Write("create promo code", instanceRegion.primaryCity(), key, creation);
        return writes.once(write, PromoCodeView.class, now -> {
            LocalDateTime expirationTime = creation.expirationTime() == null
                    ? null
                    : LocalDateTime.ofInstant(creation.expirationTime(), ZoneOffset.UTC)
                            .truncatedTo(ChronoUnit.MICROS);
            if (expirationTime != null && !expirationTime.isAfter(now)) {
                throw PromoProblem.EXPIRES_IN_THE_PAST.because("expiration_time is " + creation.expirationTime());
            }
            PromoCode code = new PromoCode(
                    creation.code(),
                    creation.description(),
                    now,
                    expirationTime,
                    json.writeValueAsString(creation.rules()));
            if (codes.insert(
                            creation.code(),
                            creation.description(),
                            now,
                            expirationTime,
                            json.writeValueAsString(creation.rules()))
                    == 0) {
                throw PromoProblem.PROMO_CODE_EXISTS.because("The code " + creation.code() + " exists already");
            }
            return view(code);
        });
    }

    PromoCodeView show(String code) {
        return transactions
                .read("show promo code", () -> codes.find(code))
                .map(this::view)
                .orElseThrow(() -> unknown(code));
    }

    Page<PromoCodeView> listValid(String after, int limit) {
        LocalDateTime now = LocalDateTime.now(clock);
        List<PromoCode> rows = transactions.read("list promo codes", () -> codes.validAt(now, after, limit + 1));
        return Page.of(rows, limit, this::view, PromoCode::code);
    }

    /**
     * Records one more use of a code by a user, in one transaction.
     *
     * @param key the client's idempotency key, {@code null} if it has none
     * @throws Problem when a rule forbids it
     */
    public Answer<UserPromoCodeView> apply(@Nullable String key, PromoCodeApplication application) {
        UserId user = new UserId(application.city(), application.userId());
        return writes.once(
                new Write("apply promo code", application.city(), key, application), UserPromoCodeView.class, now -> {
                    users.require(user);
                    PromoCode code = codes.find(application.code())
                            .orElseThrow(() -> unknown(application.code()).namedInBody());
                    if (code.isExpiredAt(now)) {
                        throw PromoProblem.PROMO_CODE_EXPIRED.because(
                                "The code expired at " + code.expirationTime() + "Z");
                    }
                    long maxUses = rules(code).useLimit();
                    long count = use(user, code.code(), now, maxUses)
                            .orElseThrow(() -> PromoProblem.PROMO_CODE_USED_UP.because(
                                    "The user has applied the code " + (maxUses == 1 ? "once" : maxUses + " times")));
                    return new UserPromoCodeView(
                            user.city(), user.id(), code.code(), now.toInstant(ZoneOffset.UTC), count);
                });
    }

    /**
     * Returns how often the user has used the code, this time included; empty if that is too often. Not one statement with ON
     * CONFLICT, which PostgreSQL cannot do where rows lie on several servers. Of two concurrent first uses the second conflicts
     * with the first in the primary key, and is retried.
     */
    private Optional<Long> use(UserId user, String code, LocalDateTime now, long maxUses) {
        if (maxUses == 0) {
            return Optional.empty();
        }
        Optional<Long> again = uses.useAgain(user.city(), user.id(), code, now, maxUses);
        if (again.isPresent()) {
            return again;
        }
        if (uses.useFirst(user.city(), user.id(), code, now) == 1) {
            return Optional.of(1L);
        }
        // At read committed, a concurrent first use may have been committed in between.
        return uses.useAgain(user.city(), user.id(), code, now, maxUses);
    }

    Page<UserPromoCodeView> listUses(UserId user, String after, int limit) {
        List<UserPromoCode> rows = transactions.read(
                "list promo codes of user", () -> uses.page(user.city(), user.id(), after, limit + 1));
        return Page.of(rows, limit, UserPromoCodeView::of, use -> use.key().code());
    }

    /**
     * Returns the discount of a user's codes for a ride that ends, within the caller's transaction: the best code that was
     * applied after the user's last ride had ended.
     *
     * @param lastEnd finds that end, in UTC, empty if this is the first ride; asked only when there are codes
     * @return percent of the price, 0 to 100
     */
    public int percentOff(UserId rider, Supplier<Optional<LocalDateTime>> lastEnd) {
        List<UserPromoCode> applied = uses.allLocked(rider.city(), rider.id());
        if (applied.isEmpty()) {
            return 0;
        }
        LocalDateTime since = lastEnd.get().orElse(LocalDateTime.MIN);
        return applied.stream()
                .filter(use -> use.timestamp() != null && use.timestamp().isAfter(since))
                .flatMap(use -> codes.find(use.key().code()).stream())
                .mapToInt(code -> rules(code).percentOff())
                .max()
                .orElse(0);
    }

    private PromoRules rules(PromoCode code) {
        return PromoRules.read(code.rules() == null ? null : json.readTree(code.rules()));
    }

    private PromoCodeView view(PromoCode code) {
        return PromoCodeView.of(code, rules(code));
    }

    private static Problem unknown(String code) {
        return PromoProblem.UNKNOWN_PROMO_CODE.because("There is no promo code " + code);
    }
}
