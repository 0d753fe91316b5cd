package io.movr.database.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpectationTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "full scan of orders",
                "full scan of an index of orders by orders_customer_idx",
                "index scan of orders",
                "index scan of orders by orders_customer_idx",
                "index-only scan of orders by orders_customer_idx",
                "full scan or index scan of orders",
                "no index scan of orders",
                "insert into orders"
            })
    void wordsSayWhatTheyDescribe(String words) {
        assertThat(Expectation.parse(words).describe()).isEqualTo(words);
        assertThat(Expectation.parse("  " + words.replace(" ", "  ")).describe())
                .isEqualTo(words);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "fast",
                "quick scan of orders",
                "full scan",
                "index scan by i",
                "full scan of a b",
                "any plan"
            })
    void otherWordsAreRefusedWithThoseThatThereAre(String words) {
        assertThatThrownBy(() -> Expectation.parse(words))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + words + "' is no plan: write 'full scan of TABLE', ");
    }

    @Test
    void everyScanOfTheTableCounts() {
        Plan plan = plan(scan(Access.INDEX_SCAN, "orders", "i"), scan(Access.FULL_SCAN, "orders", null));
        assertThat(Expectation.parse("index scan of orders by i").complaint(plan))
                .contains("full scan of orders");
        assertThat(Expectation.parse("full scan or index scan of orders").complaint(plan))
                .isEmpty();
        assertThat(Expectation.parse("no full scan of orders").complaint(plan)).contains("full scan of orders");
        assertThat(Expectation.parse("no index-only scan of orders").complaint(plan))
                .isEmpty();
        assertThat(Expectation.parse("index scan of customers").complaint(plan)).contains("it does not read customers");
    }

    @Test
    void aFullScanOfAnIndexIsAFullScanToWhoeverForbidsOne() {
        Plan plan = plan(scan(Access.FULL_INDEX_SCAN, "orders", "i"));
        assertThat(Expectation.parse("no full scan of orders").complaint(plan))
                .contains("full scan of an index of orders by i");
        assertThat(Expectation.parse("no full scan of customers").complaint(plan))
                .isEmpty();
    }

    @Test
    void anotherTableWhoseNameBeginsLikeItIsNoneOfItsPartitionsUnlessAStarSaysSo() {
        Plan plan = plan(scan(Access.INDEX_SCAN, "orders", "i"), scan(Access.FULL_SCAN, "orders_archive", null));
        assertThat(Expectation.parse("index scan of orders by i").complaint(plan))
                .isEmpty();
        assertThat(Expectation.parse("index scan of orders*").complaint(plan)).contains("full scan of orders_archive");
        assertThat(Expectation.indexScan("orders", "i").complaint(plan)).isPresent();
    }

    @Test
    void aTableThatIsOnlyReadIsNotInserted() {
        Plan reading = plan(scan(Access.FULL_SCAN, "orders", null));
        assertThat(Expectation.insert("orders").complaint(reading)).contains("it does not write orders");
        assertThat(Expectation.insert("orders").complaint(plan(scan(null, "orders", null))))
                .isEmpty();
    }

    private static PlanNode scan(Access access, String table, String index) {
        return new PlanNode("step", access, table, index, 1, 1, 1, List.of(), List.of(), -1, List.of());
    }

    private static Plan plan(PlanNode... scans) {
        return new Plan(
                new PlanNode("top", null, null, null, 1, 1, 1, List.of(), List.of(), -1, List.of(scans)),
                "",
                null,
                List.of());
    }
}
