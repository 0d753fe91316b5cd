package io.movr.testing;

import io.movr.database.Engine;
import io.movr.database.plan.Access;
import io.movr.database.plan.Expectation;
import io.movr.database.plan.Plan;
import io.movr.database.plan.PlanNode;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.assertj.core.api.AbstractAssert;

/**
 * Assertions on the plan of a statement. Names of tables and indexes are written as the server has them, and a schema may stand
 * before the name of a table: {@code public.orders}. The name of a partitioned table means its partitions. An unrecognised step
 * of the plan fails every assertion on its table. A failure shows the plan, as a tree and as the server gave it.
 */
@API(status = API.Status.STABLE, since = "0.1.0")
public class PlanAssert extends AbstractAssert<PlanAssert, Plan> {

    private static final Set<Access> FULL = EnumSet.of(Access.FULL_SCAN, Access.FULL_INDEX_SCAN);

    private final String statement;
    private final Engine engine;

    PlanAssert(Plan plan, String statement, Engine engine) {
        super(plan, PlanAssert.class);
        this.statement = statement;
        this.engine = engine;
    }

    /** Verifies that every scan of the table reads a part of an index and not the table itself: a covering index. */
    public Scan isIndexOnlyScanOf(String table) {
        return new Scan(this, Access.INDEX_ONLY_SCAN, table);
    }

    /** Verifies that every scan of the table reads a part of an index, then the table for each entry, by a bitmap or not. */
    public Scan isIndexScanOf(String table) {
        return new Scan(this, Access.INDEX_SCAN, table);
    }

    /**
     * Verifies that no table and no index is read completely. PostgreSQL reads every row of a small table,
     * whatever indexes there are: load about as many as the application has, and {@code ANALYZE}.
     */
    public PlanAssert touchesNoFullScan() {
        List<PlanNode> found = Stream.concat(
                        actual.scans().stream().filter(scan -> FULL.contains(scan.access())),
                        actual.unrecognizedSteps().stream())
                .toList();
        if (!found.isEmpty()) {
            throw wrong("no full scan", found.stream().map(PlanNode::describe).collect(Collectors.joining(", ")));
        }
        return this;
    }

    /** Verifies that the table is read, and that neither it nor one of its indexes is read completely. */
    public PlanAssert hasNoFullScanOf(String table) {
        return check(new Expectation(table, FULL, null, true, false));
    }

    /**
     * Verifies that the plan is as described, in the words of {@code movr lab}, such as
     * {@code index scan or full scan of orders}, {@code index-only scan of orders by orders_customer_idx},
     * {@code no full scan of orders}, {@code insert into orders}. A star after the table includes its partitions.
     *
     * @throws IllegalArgumentException if the words say something else, listing the valid ones
     */
    public PlanAssert matches(String words) {
        return check(Expectation.parse(words));
    }

    /**
     * Verifies that CockroachDB recommends no index for the statement.
     *
     * @throws UnsupportedOperationException on PostgreSQL, which recommends none for any statement
     */
    public PlanAssert recommendsNoIndex() {
        if (!engine.recommendsIndexes()) {
            throw new UnsupportedOperationException(
                    engine.title() + " recommends no indexes: assert how it reads the table");
        }
        if (!actual.recommendations().isEmpty()) {
            throw wrong("no recommended index", String.join("; ", actual.recommendations()));
        }
        return this;
    }

    final PlanAssert check(Expectation expectation) {
        expectation.complaint(actual).ifPresent(found -> {
            throw wrong(expectation.describe(), found);
        });
        return this;
    }

    private AssertionError wrong(String expected, String found) {
        return failure(
                "%nExpected: %s%nFound: %s%nStatement: %s%n%n%s%nAs %s gave it:%n%s",
                expected, found, statement.strip(), actual.text(), engine.title(), actual.source());
    }

    /** The assertion that a table is read by some index; {@link #by} names which. */
    @API(status = API.Status.STABLE, since = "0.1.0")
    public static final class Scan extends PlanAssert {

        private final Access access;
        private final String table;

        private Scan(PlanAssert asserted, Access access, String table) {
            super(asserted.actual, asserted.statement, asserted.engine);
            this.access = access;
            this.table = table;
            info.description(asserted.info.description());
            check(new Expectation(table, Set.of(access), null, false, false));
        }

        /** Verifies that the scan uses this index. */
        public PlanAssert by(String index) {
            return check(new Expectation(table, Set.of(access), index, false, false));
        }
    }
}
