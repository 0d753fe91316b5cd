package io.movr.users;

import io.movr.datasource.Transactions;
import io.movr.idempotency.IdempotentWrites;
import io.movr.idempotency.IdempotentWrites.Answer;
import io.movr.idempotency.IdempotentWrites.Write;
import io.movr.web.Page;
import io.movr.web.Problem;
import io.movr.web.Version;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** Registers and renames users. */
@Service
public class UserService {

    private final Users users;
    private final Transactions transactions;
    private final IdempotentWrites writes;

    UserService(Users users, Transactions transactions, IdempotentWrites writes) {
        this.users = users;
        this.transactions = transactions;
        this.writes = writes;
    }

    Answer<UserView> register(@Nullable String key, Registration registration) {
        return writes.once(new Write("register user", registration.city(), key, registration), UserView.class, now -> {
            User user = new User(
                    new UserId(registration.city(), UUID.randomUUID()),
                    registration.name(),
                    registration.address(),
                    registration.creditCard());
            users.insert(
                    user.key().id(),
                    user.key().city(),
                    registration.name(),
                    registration.address(),
                    registration.creditCard());
            return UserView.of(user);
        });
    }

    UserView show(UserId id) {
        return transactions
                .read("show user", () -> users.find(id.city(), id.id()))
                .map(UserView::of)
                .orElseThrow(() -> unknown(id));
    }

    Page<UserView> list(String city, UUID after, int limit) {
        List<User> rows = transactions.read("list users", () -> users.page(city, after, limit + 1));
        return Page.of(rows, limit, UserView::of, user -> user.key().id().toString());
    }

    Answer<UserView> rename(UserId id, @Nullable String key, @Nullable String ifMatch, Renaming renaming) {
        Write write = new Write("rename user", id.city(), key, Arrays.asList(id, renaming, ifMatch));
        return writes.once(write, UserView.class, now -> {
            User user = users.findForUpdate(id.city(), id.id()).orElseThrow(() -> unknown(id));
            Version.of(UserView.of(user)).require(ifMatch);
            users.rename(id.city(), id.id(), renaming.name());
            return UserView.of(new User(id, renaming.name(), user.address(), user.creditCard()));
        });
    }

    /**
     * Checks within the caller's transaction that a user exists whom the body of a request names. Users are never removed, so
     * the result holds until the transaction ends.
     *
     * @throws Problem if the user does not exist
     */
    public void require(UserId id) {
        if (!users.exists(id.city(), id.id())) {
            throw unknown(id).namedInBody();
        }
    }

    private static Problem unknown(UserId id) {
        return UserProblem.UNKNOWN_USER.because("There is no user " + id.id() + " in " + id.city());
    }
}
