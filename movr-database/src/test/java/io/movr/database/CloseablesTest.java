package io.movr.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CloseablesTest {

    private final List<Integer> closed = new ArrayList<>();

    private void close(int number) throws SQLException {
        closed.add(number);
        if (number == 2) {
            throw new SQLException("two");
        }
        if (number == 3) {
            throw new IllegalStateException("three");
        }
    }

    @Test
    void allAreClosedAndTheFirstFailureIsThrown() {
        assertThatThrownBy(() -> Closeables.closeAll(List.of(1, 2, 3, 4), this::close))
                .isInstanceOf(SQLException.class)
                .hasMessage("two")
                .satisfies(failed -> assertThat(failed.getSuppressed())
                        .singleElement()
                        .satisfies(later -> assertThat(later).hasMessage("three")));
        assertThat(closed).containsExactly(1, 2, 3, 4);
        assertThatThrownBy(() -> Closeables.closeAll(List.of(3, 4), this::close))
                .isInstanceOf(IllegalStateException.class);
        assertThat(closed).containsExactly(1, 2, 3, 4, 3, 4);
    }

    @Test
    void whatFailedFirstIsNotHiddenByClosing() {
        IllegalStateException failure = new IllegalStateException("first");
        assertThat(Closeables.closeAfter(failure, () -> close(2))).isSameAs(failure);
        assertThat(failure.getSuppressed()).singleElement().isInstanceOf(SQLException.class);
    }
}
