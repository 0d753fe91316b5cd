package io.movr.vehicles;

import io.movr.web.StrictParameters;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** Binds parameters of requests by their text in the table, {@code in_use} rather than {@code IN_USE}. */
@ControllerAdvice
class VehicleWords {

    @InitBinder
    void bind(WebDataBinder binder) {
        StrictParameters.bind(
                binder, VehicleStatus.class, word -> named(VehicleStatus.values(), VehicleStatus::sql, word));
        StrictParameters.bind(binder, VehicleType.class, word -> named(VehicleType.values(), VehicleType::sql, word));
    }

    private static <T> T named(T[] values, Function<T, String> name, String word) {
        return Stream.of(values)
                .filter(value -> name.apply(value).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown value: " + word));
    }
}
