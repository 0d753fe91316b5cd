package io.movr.schema;

import io.movr.database.Gateway;
import io.movr.region.Region;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The stage that replicates promo codes: the primary region's server publishes them and the other servers subscribe. They are
 * read on each region's server and written in the primary region.
 */
final class PublishPromoCodes implements StageHandler {

    private static final String NAME = "movr_promo_codes";

    private final RegionServers servers;

    PublishPromoCodes(RegionServers servers) {
        this.servers = servers;
    }

    /** Ends the subscription of another region's server. */
    static void endOn(Statement statement) throws SQLException {
        ServerSql.dropSubscription(statement, NAME);
    }

    /** Sets the current address of the primary region's server in a subscription. */
    void reconnect(Region region, Statement statement) throws SQLException {
        if (ServerSql.exists(statement, "pg_subscription WHERE subname = '" + NAME + "'")) {
            statement.execute("ALTER SUBSCRIPTION " + NAME + " CONNECTION " + servers.primarySeenFrom(region, ""));
        }
    }

    @Override
    public void prepare(Consumer<MigrationProgress> progress) {
        ServerSql.on(servers.primary(), statement -> {
            if (!ServerSql.exists(statement, "pg_publication WHERE pubname = '" + NAME + "'")) {
                statement.execute("CREATE PUBLICATION " + NAME + " FOR TABLE promo_codes");
            }
        });
        for (Map.Entry<Region, Gateway> other : servers.others().entrySet()) {
            Region region = other.getKey();
            String slot = NAME + "_" + EngineStages.partition(region);
            // From the beginning, if it was interrupted.
            ServerSql.on(other.getValue(), PublishPromoCodes::endOn);
            ServerSql.on(servers.primary(), statement -> {
                ServerSql.dropSlots(statement, slot);
                ServerSql.text(statement, "SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
            });
            ServerSql.on(other.getValue(), statement -> {
                ServerSql.transaction(statement, steps -> ServerSql.executeAll(steps, localPromoCodes(steps, region)));
                statement.execute("CREATE SUBSCRIPTION " + NAME + " CONNECTION "
                        + servers.primarySeenFrom(region, "") + " PUBLICATION " + NAME
                        + " WITH (copy_data = false, create_slot = false, slot_name = '" + slot + "')");
            });
        }
    }

    @Override
    public void apply(Connection primary) throws SQLException {
        List<String> keys = new ArrayList<>();
        for (String place : servers.places(servers.regions().primary())) {
            keys.add(promoCodeKey(place));
        }
        ServerSql.executeAll(primary, keys);
    }

    private static List<String> localPromoCodes(Statement statement, Region region) throws SQLException {
        List<String> statements = new ArrayList<>();
        if (ServerSql.exists(statement, "pg_class WHERE relname = 'promo_codes_primary'")) {
            statements.add("DROP TABLE promo_codes CASCADE");
        } else {
            statements.add("ALTER FOREIGN TABLE promo_codes RENAME TO promo_codes_primary");
            statements.add("ALTER FOREIGN TABLE promo_codes_primary OPTIONS (SET table_name 'promo_codes')");
        }
        statements.add("CREATE TABLE promo_codes (LIKE promo_codes_primary)");
        statements.add("INSERT INTO promo_codes SELECT * FROM promo_codes_primary");
        statements.add("ALTER TABLE promo_codes ADD PRIMARY KEY (code)");
        statements.add("""
                CREATE OR REPLACE FUNCTION write_promo_code() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF TG_OP <> 'INSERT' THEN
                        RAISE EXCEPTION 'promo codes are changed in the primary region';
                    END IF;
                    INSERT INTO promo_codes_primary SELECT NEW.* ON CONFLICT DO NOTHING;
                    IF NOT FOUND THEN
                        RETURN NULL;
                    END IF;
                    RETURN NEW;
                END $$""");
        statements.add("CREATE TRIGGER to_primary BEFORE INSERT OR UPDATE OR DELETE ON promo_codes"
                + " FOR EACH ROW EXECUTE FUNCTION write_promo_code()");
        // What was written here arrives once more, perhaps before it is committed here.
        statements.add("""
                CREATE OR REPLACE FUNCTION receive_promo_code() RETURNS trigger LANGUAGE plpgsql AS $$
                BEGIN
                    IF pg_trigger_depth() > 1 THEN
                        RETURN NEW;
                    END IF;
                    INSERT INTO public.promo_codes SELECT NEW.* ON CONFLICT DO NOTHING;
                    RETURN NULL;
                END $$""");
        statements.add("CREATE TRIGGER from_primary BEFORE INSERT ON promo_codes"
                + " FOR EACH ROW EXECUTE FUNCTION receive_promo_code()");
        statements.add("ALTER TABLE promo_codes ENABLE REPLICA TRIGGER from_primary");
        statements.add(promoCodeKey(EngineStages.partition(region)));
        return statements;
    }

    private static String promoCodeKey(String place) {
        return "ALTER TABLE user_promo_codes_" + place + " ADD CONSTRAINT fk_code_ref_promo_codes"
                + " FOREIGN KEY (code) REFERENCES promo_codes (code)";
    }
}
