package io.movr.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.check.Transaction.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

class ElementOrdersTest {

    private static final long CODE = 1;

    private final ArrayNode latestFirst = JsonMapper.shared().createArrayNode();
    private final List<Transaction> history = new ArrayList<>();

    private void ride(String from, String to) {
        latestFirst.addObject().put("start_address", from).put("end_address", to);
    }

    private void add(Outcome outcome, MicroOp... steps) {
        int number = history.size();
        history.add(new Transaction(number, number, outcome, List.of(steps), 10L * number, 10L * number + 5));
    }

    private static MicroOp count(long uses) {
        return MicroOp.read(CODE, List.of(uses));
    }

    /** Returns the report for a final count of uses. */
    private Report reportAt(long uses) {
        Map<Long, List<Long>> lists = new HashMap<>(Map.of(CODE, List.of(uses)));
        List<Transaction> resolved = ElementOrders.resolved(history, lists);
        return ListAppendChecker.check(resolved, lists);
    }

    @Test
    void ridesAreInTheOrderOfTheirAddressesWhateverTheirTimes() {
        ride("2", "3");
        ride("start", "1");
        latestFirst.addObject().put("start_address", "3");
        ride("1", "2");
        assertThat(ElementOrders.rides(latestFirst, "start")).containsExactly(1L, 2L, 3L);
    }

    @Test
    void ridesThatBeganWhereNoneEndedOrAtTheSamePlaceAreKept() {
        ride("start", "1");
        ride("start", "2");
        ride("7", "8");
        assertThat(ElementOrders.rides(latestFirst, "start")).containsExactlyInAnyOrder(1L, 2L, 8L);
    }

    @Test
    void aDuplicateRideIsADuplicateElement() {
        ride("1", "2");
        ride("1", "2");
        ride("start", "1");
        assertThat(ElementOrders.rides(latestFirst, "start")).containsExactly(1L, 2L, 2L);
    }

    @Test
    void usesThatWereCountedOnceHaveNoAnomaly() {
        add(Outcome.OK, count(0));
        add(Outcome.OK, MicroOp.append(CODE, 11), count(1));
        add(Outcome.INFO, MicroOp.append(CODE, 12));
        add(Outcome.OK, MicroOp.append(CODE, 13), count(3));
        add(Outcome.FAIL, MicroOp.append(CODE, 14));
        add(Outcome.OK, count(3));
        assertThat(reportAt(3).counts()).isEmpty();
    }

    @Test
    void aUseThatWasCountedTwiceIsAnUnknownElement() {
        add(Outcome.OK, MicroOp.append(CODE, 11), count(2));
        assertThat(reportAt(2).counts()).containsKey(AnomalyType.UNKNOWN_ELEMENT);
    }

    @Test
    void aUseThatIsNotCountedIsLost() {
        add(Outcome.OK, MicroOp.append(CODE, 11), count(1));
        add(Outcome.OK, MicroOp.append(CODE, 12), count(1));
        assertThat(reportAt(1).counts()).containsKeys(AnomalyType.LOST_APPEND, AnomalyType.INCOMPATIBLE_ORDER);
    }

    @Test
    void aCountThatMissesAnAcknowledgedUseIsStale() {
        add(Outcome.OK, MicroOp.append(CODE, 11), count(1));
        add(Outcome.OK, count(0));
        assertThat(reportAt(1).counts()).containsKey(AnomalyType.STALE_READ);
    }
}
