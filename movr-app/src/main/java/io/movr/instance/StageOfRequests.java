package io.movr.instance;

import io.micrometer.common.KeyValues;
import io.movr.database.SchemaStage;
import org.springframework.http.server.observation.DefaultServerRequestObservationConvention;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.stereotype.Component;

/** Tags the metrics of requests with the stage of the schema. */
@Component
class StageOfRequests extends DefaultServerRequestObservationConvention {

    private final SchemaStage stage;

    StageOfRequests(SchemaStage stage) {
        this.stage = stage;
    }

    @Override
    public KeyValues getLowCardinalityKeyValues(ServerRequestObservationContext context) {
        return super.getLowCardinalityKeyValues(context).and("stage", stage.name());
    }
}
