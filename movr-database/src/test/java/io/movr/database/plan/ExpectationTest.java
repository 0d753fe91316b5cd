package io.movr.database.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
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
                "partial scan of orders",
                "index scan of public.orders by orders_customer_idx",
                "full scan of \"Order Line\" by \"Order Line_pkey\"",
                "insert into \"say \"\"hello\"\"\"",
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
                "not understood of orders",
                "any plan"
            })
    void otherWordsAreRefusedWithThoseThatThereAre(String words) {
        assertThatThrownBy(() -> Expectation.parse(words))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + words + "' is no plan: write 'full scan of TABLE', ")
                .hasMessageContaining("'index scan or full scan of TABLE'");
    }

    @Test
    void aStatementNamesTheTableWithOrWithoutItsSchema() {
        List<String> words = List.of("select", "id", "from", "archive", "Order Line");
        assertThat(Expectation.parse("full scan of archive.\"Order Line\"").isNamedIn(words))
                .isTrue();
        assertThat(Expectation.parse("full scan of \"Order Line\"").isNamedIn(words))
                .isTrue();
        assertThat(Expectation.parse("full scan of archive.line").isNamedIn(words))
                .isFalse();
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
        assertThat(Expectation.parse("index scan of customers").complaint(plan))
                .contains("it does not read customers; it reads orders");
    }

    @Test
    void aFullScanOfAnIndexIsAFullScanToWhoeverForbidsOne() {
        Plan plan = plan(scan(Access.FULL_INDEX_SCAN, "orders", "i"));
        assertThat(Expectation.parse("no full scan of orders").complaint(plan))
                .contains("full scan of an index of orders by i");
    }

    @Test
    void aNameThatThePlanDoesNotReadIsNoProofThatNothingIsReadWhole() {
        Plan plan = plan(scan(Access.FULL_SCAN, "orders", null), scan(Access.INDEX_SCAN, "items", "i"));
        assertThat(Expectation.parse("no full scan of orderz").complaint(plan))
                .contains("it does not read orderz; it reads orders, items");
        assertThat(Expectation.parse("no full scan of other.items").complaint(plan))
                .contains("it does not read other.items; it reads public.orders, public.items");
        assertThat(Expectation.parse("no full scan of items").complaint(plan)).isEmpty();
        assertThat(Expectation.parse("no full scan of public.items").complaint(plan))
                .isEmpty();
        assertThat(Expectation.parse("no full scan of item*").complaint(plan)).isPresent();
        assertThat(Expectation.parse("no full scan of items").complaint(plan()))
                .contains("it does not read items, and no other table");
    }

    @Test
    void thePartitionsOfATableAreThoseOfTheCatalogAndNotThoseOfItsName() {
        Catalog.Relation orders = new Catalog.Relation("public", "orders");
        Catalog.Relation index = new Catalog.Relation("public", "orders_day_idx");
        Catalog catalog = new Catalog(
                List.of(),
                Map.of(
                        new Catalog.Relation("public", "first_half"), Set.of(orders),
                        new Catalog.Relation("public", "first_half_day_idx"), Set.of(index)));
        Plan indexed = plan(catalog, scan(Access.INDEX_SCAN, "first_half", "first_half_day_idx"));
        assertThat(Expectation.parse("index scan of orders by orders_day_idx").complaint(indexed))
                .isEmpty();
        assertThat(Expectation.parse("no full scan of public.orders").complaint(indexed))
                .isEmpty();
        assertThat(Expectation.parse("no full scan of orders")
                        .complaint(plan(catalog, scan(Access.FULL_SCAN, "first_half", null))))
                .contains("full scan of first_half");
        assertThat(Expectation.parse("no full scan of orders")
                        .complaint(plan(catalog, scan(Access.INDEX_SCAN, "orders_archive", "i"))))
                .contains("it does not read orders; it reads orders_archive");
    }

    @Test
    void aStepThatIsNotUnderstoodMeetsNoExpectationOnATableThatItMayRead() {
        Plan unknown = plan(scan(Access.INDEX_SCAN, "orders", "i"), scan(Access.NOT_UNDERSTOOD, null, null));
        for (String words : List.of("index scan of orders", "no full scan of orders")) {
            assertThat(Expectation.parse(words).complaint(unknown)).contains("not understood: step");
        }
        Plan elsewhere = plan(scan(Access.INDEX_SCAN, "orders", "i"), scan(Access.NOT_UNDERSTOOD, "items", null));
        assertThat(Expectation.parse("no full scan of orders").complaint(elsewhere))
                .isEmpty();
        assertThat(Expectation.parse("no full scan of items").complaint(elsewhere))
                .contains("not understood: step of items");
        assertThat(elsewhere.describe()).isEqualTo("index scan of orders by i, not understood: step of items");
    }

    @Test
    void anIndexOfSeveralThatAreReadTogetherIsAmongThem() {
        Plan plan = plan(step(Access.INDEX_SCAN, false, "orders", List.of("i", "j")));
        assertThat(Expectation.parse("index scan of orders by i").complaint(plan))
                .isEmpty();
        assertThat(Expectation.parse("index scan of orders by j").complaint(plan))
                .isEmpty();
        assertThat(Expectation.parse("index scan of orders by k").complaint(plan))
                .contains("index scan of orders by i, index scan of orders by j");
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
        assertThat(Expectation.insert("orders").complaint(plan(step(null, false, "orders", List.of()))))
                .as("a step that fetches rows")
                .isPresent();
        Plan writing = plan(step(null, true, "orders", List.of()));
        assertThat(Expectation.insert("orders").complaint(writing)).isEmpty();
        assertThat(Expectation.parse("no full scan of orders").complaint(writing))
                .isEmpty();
        assertThat(Expectation.parse("index scan of orders").complaint(writing)).isPresent();
    }

    private static PlanNode scan(Access access, String table, String index) {
        return step(access, false, table, index == null ? List.of() : List.of(index));
    }

    private static PlanNode step(Access access, boolean writes, String table, List<String> indexes) {
        return new PlanNode(
                "step", access, writes, "public", table, indexes, 1, 1, 1, List.of(), List.of(), -1, List.of());
    }

    private static Plan plan(PlanNode... scans) {
        return plan(Catalog.NONE, scans);
    }

    private static Plan plan(Catalog catalog, PlanNode... scans) {
        PlanNode top = new PlanNode(
                "top", null, false, null, null, List.of(), 1, 1, 1, List.of(), List.of(), -1, List.of(scans));
        return new Plan(top, "", null, List.of(), catalog);
    }
}
