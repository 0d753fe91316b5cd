package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import io.movr.region.Distances;
import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** The files of Docker Compose, read rather than run: no image can be pulled where this is built. */
class ComposeTest {

    private static final Path DOCKER = MovrProgram.ROOT.resolve("docker");

    private static Map<String, Object> read(String file) throws IOException {
        return new Yaml().load(Files.readString(DOCKER.resolve(file)));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Object>> services(String file) throws IOException {
        return (Map<String, Map<String, Object>>) read(file).get("services");
    }

    private static List<String> strings(Object list) {
        return list == null
                ? List.of()
                : ((List<?>) list).stream().map(Object::toString).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"compose.yml", "single.yml"})
    void whatServicesNameIsThereAndNothingListensBeyondThisMachine(String file) throws IOException {
        Map<String, Map<String, Object>> services = services(file);
        Map<?, ?> volumes = (Map<?, ?>) read(file).get("volumes");
        services.forEach((name, service) -> {
            Object needed = service.get("depends_on");
            assertThat(needed instanceof Map<?, ?> map ? strings(List.copyOf(map.keySet())) : strings(needed))
                    .as(name)
                    .isSubsetOf(services.keySet());
            assertThat(strings(service.get("ports"))).as(name).allMatch(port -> port.startsWith("127.0.0.1:"));
            for (String volume : strings(service.get("volumes"))) {
                String source = volume.substring(0, volume.indexOf(':'));
                if (source.startsWith("./")) {
                    assertThat(DOCKER.resolve(source)).exists();
                } else {
                    assertThat(volumes.containsKey(source)).as(volume).isTrue();
                }
            }
            // Several services of one build have no name for it: a tag can be written by one build at a time.
            String image = String.valueOf(service.getOrDefault("image", service.containsKey("build") ? "movr" : ""));
            assertThat(image.matches("movr(-lab|-links)?|\\$\\{[A-Z]+_IMAGE:-[a-z/]+:v?\\d+\\.\\d+\\.\\d+}"))
                    .as(image)
                    .isTrue();
        });
    }

    @Test
    void everyNodeHasAWayOfItsOwnFromEachRemoteRegionAsLongAsItShouldBe() throws IOException {
        Map<String, Map<String, Object>> services = services("compose.yml");
        Pattern form = Pattern.compile("(\\d+)=(roach\\d):26257@([\\d.]+)ms");
        Map<String, Matcher> links = new HashMap<>();
        for (String link : strings(services.get("links").get("command"))) {
            Matcher matcher = form.matcher(link);
            assertThat(matcher.matches()).as(link).isTrue();
            assertThat(links.put(matcher.group(1), matcher)).isNull();
        }
        assertThat(links).hasSize(18);
        int ways = 0;
        for (int node = 1; node <= 9; node++) {
            String options =
                    String.join(" ", strings(services.get("roach" + node).get("command")));
            Region region = new Region(options.replaceAll(".*--locality=region=([^,]+),.*", "$1"));
            assertThat(RegionMap.standard().cities()).containsKey(region);
            Matcher way = Pattern.compile("region=([a-z0-9-]+)@links:(\\d+)").matcher(options);
            while (way.find()) {
                Matcher link = links.get(way.group(2));
                assertThat(link.group(2)).isEqualTo("roach" + node);
                double oneWay = Distances.standard()
                                .roundTrip(region, new Region(way.group(1)))
                                .toMillis()
                        / 2.0;
                assertThat(Double.parseDouble(link.group(3))).isEqualTo(oneWay);
                ways++;
            }
        }
        assertThat(ways).isEqualTo(18);
    }
}
