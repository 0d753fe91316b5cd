package io.movr.datasource;

import io.movr.region.Region;
import io.movr.region.RegionMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * {@code movr.region}: the regions with their cities, and the region of this instance.
 *
 * @param pinned the region of this instance; {@code null} for the primary region
 * @param cities cities by region, the primary region first; {@code null} for MovR's nine cities in three regions
 */
@ConfigurationProperties(value = "movr.region", ignoreUnknownFields = false)
public record RegionProperties(
        @Nullable String pinned, @Nullable Map<String, List<String>> cities) {

    public RegionProperties {
        try {
            RegionMap map = map(cities);
            if (pinned != null && !map.cities().containsKey(new Region(pinned))) {
                throw new IllegalArgumentException("movr.region.pinned is '" + pinned + "': choose one of "
                        + map.cities().keySet());
            }
        } catch (IllegalArgumentException wrong) {
            String message = String.valueOf(wrong.getMessage());
            throw message.startsWith("movr.region")
                    ? wrong
                    : new IllegalArgumentException("movr.region.cities: " + message, wrong);
        }
    }

    public RegionMap map() {
        return map(cities);
    }

    public Region here() {
        return pinned == null ? map().primary() : new Region(pinned);
    }

    private static RegionMap map(@Nullable Map<String, List<String>> cities) {
        if (cities == null || cities.isEmpty()) {
            return RegionMap.standard();
        }
        Map<Region, List<String>> named = new LinkedHashMap<>();
        cities.forEach((region, names) -> named.put(new Region(region), names));
        return new RegionMap(named);
    }
}
