package io.movr.instance;

import io.movr.database.SchemaStage;
import io.movr.schema.Stage;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Reads the stage of the schema periodically, because another program migrates it. */
@Component
class CurrentStage implements SchemaStage {

    private static final Logger LOG = LoggerFactory.getLogger(CurrentStage.class);
    private static final String UNKNOWN = "unknown";

    private final DatabaseState database;
    private volatile @Nullable Stage latest;

    CurrentStage(DatabaseState database) {
        this.database = database;
    }

    @Override
    public String name() {
        Stage stage = latest;
        return stage == null ? UNKNOWN : stage.id();
    }

    @Scheduled(initialDelay = 0, fixedDelay = 5_000)
    void look() {
        try {
            latest = database.ask().stage();
        } catch (SQLException unreachable) {
            LOG.debug("The stage cannot be read; the last known stage is kept", unreachable);
        }
    }
}
