package io.movr.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.movr.UserError;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {

    private static Settings settings(Map<String, String> properties) {
        return Settings.of(properties::get);
    }

    @Test
    void nothingSaidIsAModestRunOverThreeRegions() {
        Settings settings = settings(Map.of());
        assertThat(settings.regions()).isEqualTo(RegionMap.standard());
        assertThat(settings.mix()).isEqualTo(Mix.MOVR);
        assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.rates().values())
                .allSatisfy(rate -> assertThat(rate).isCloseTo(10, within(1e-9)));
        assertThat(settings.maxP99()).isEmpty();
    }

    @Test
    void regionsTheirCitiesAddressesAndSharesCanBeGiven() {
        Settings settings = settings(Map.of(
                "movr.region.cities", "north=oslo, bergen;south=rome",
                "url", "http://localhost:1/",
                "url.south", "http://localhost:2",
                "rate", "40",
                "share.north", "3"));
        Region north = new Region("north");
        Region south = new Region("south");
        assertThat(settings.regions().citiesOf(north)).containsExactly("oslo", "bergen");
        assertThat(settings.instances().get(north)).hasToString("http://localhost:1");
        assertThat(settings.instances().get(south)).hasToString("http://localhost:2");
        assertThat(settings.rates()).containsEntry(north, 30.0).containsEntry(south, 10.0);
    }

    @Test
    void aPasswordIsNotShown() {
        assertThat(settings(Map.of("database", "jdbc:postgresql://localhost/movr?user=me&password=secret"))
                        .shown()
                        .toString())
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "rate, 0",
        "rate, fast",
        "mix, tpcc",
        "remoteShare, 1.1",
        "retries, 1.5",
        "url, localhost",
        "movr.region.cities, nowhere",
        "movr.region.cities, 'a=x;b=x'",
    })
    void whatCannotBeIsRefusedByItsName(String name, String value) {
        assertThatThrownBy(() -> settings(Map.of(name, value)))
                .isInstanceOf(UserError.class)
                .hasMessageContaining(name)
                .hasMessageContaining(value);
    }
}
