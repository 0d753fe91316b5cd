package io.movr.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class VersionTest {

    private record Person(@Nullable String name, @Nullable String address) {}

    private record PersonWithMore(
            @Nullable String phone,
            @Nullable String address,
            @Nullable String name) {}

    private record Priced(RawJson ext, BigDecimal price) {}

    private static Version of(Record row) {
        return Version.of(row);
    }

    @Test
    void rowsWhoseFieldsLookLikeOthersDiffer() {
        Version one = of(new Person("A, address=B", "C"));
        assertThat(of(new Person("A", "B, address=C"))).isNotEqualTo(one);
        assertThatThrownBy(() -> of(new Person("A", "B, address=C")).require(one.tag()))
                .isInstanceOf(Problem.class);
        assertThat(of(new Person("null", "x"))).isNotEqualTo(of(new Person(null, "x")));
        assertThat(of(new Person("\",\"address\":\"", null))).isNotEqualTo(of(new Person("", "")));
    }

    @Test
    void aNewFieldThatIsNotSetAndAnotherOrderOfFieldsChangeNothing() {
        Version before = of(new Person("A", "B"));
        assertThat(of(new PersonWithMore(null, "B", "A"))).isEqualTo(before);
        assertThat(of(new PersonWithMore("1", "B", "A"))).isNotEqualTo(before);
    }

    @Test
    void contentCountsAndNotHowTheEngineWritesIt() {
        Version version =
                of(new Priced(new RawJson("{\"b\": 1.50, \"a\": {\"d\": 1, \"c\": 2}}"), new BigDecimal("9.70")));
        assertThat(of(new Priced(new RawJson("{\"a\":{\"c\":2,\"d\":1},\"b\":1.5}"), new BigDecimal("9.7"))))
                .isEqualTo(version);
        assertThat(of(new Priced(new RawJson("{\"a\":{\"c\":2,\"d\":1},\"b\":15}"), new BigDecimal("9.7"))))
                .isNotEqualTo(version);
    }
}
