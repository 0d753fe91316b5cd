package io.movr.idempotency;

import io.movr.datasource.Transactions;
import io.movr.datasource.Unavailable;
import io.movr.region.InstanceRegion;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** Deletes the expired keys of the cities of this instance's region. */
@Component
class KeySweeper {

    private static final Logger LOG = LoggerFactory.getLogger(KeySweeper.class);
    private static final int MAX_BATCHES = 1_000;

    private final Transactions transactions;
    private final AnsweredRequests answered;
    private final IdempotencyProperties properties;
    private final InstanceRegion instanceRegion;
    private final Clock clock;

    KeySweeper(
            Transactions transactions,
            AnsweredRequests answered,
            IdempotencyProperties properties,
            InstanceRegion instanceRegion,
            Clock clock) {
        this.transactions = transactions;
        this.answered = answered;
        this.properties = properties;
        this.instanceRegion = instanceRegion;
        this.clock = clock;
    }

    @Scheduled(
            initialDelayString = "${movr.idempotency.sweep-every:10m}",
            fixedDelayString = "${movr.idempotency.sweep-every:10m}")
    void sweep() {
        LocalDateTime before = LocalDateTime.now(clock).minus(properties.keep());
        try {
            for (String city : instanceRegion.map().citiesOf(instanceRegion.here())) {
                sweep(city, before);
            }
        } catch (Unavailable | DataAccessException | TransactionException failed) {
            LOG.warn("Expired idempotency keys cannot be removed now: {}", failed.getMessage());
        }
    }

    private void sweep(String city, LocalDateTime before) {
        for (int batch = 0; batch < MAX_BATCHES; batch++) {
            // Finding and removing are two transactions: one that reads a whole city would collide with its writers.
            List<String> keys =
                    transactions.read("find old keys", () -> answered.olderThan(city, before, properties.sweepBatch()));
            if (!keys.isEmpty()) {
                transactions.write("remove old keys", () -> answered.remove(city, keys, before));
            }
            if (keys.size() < properties.sweepBatch()) {
                return;
            }
        }
    }
}
