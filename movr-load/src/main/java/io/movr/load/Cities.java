package io.movr.load;

import io.movr.region.RegionMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** All cities, and the promo codes of the run, which are valid in each. */
final class Cities {

    private static final int MAX_PROMO_CODES = 20_000;

    private final Map<String, City> byName = new LinkedHashMap<>();
    private final List<String> promoCodes = new ArrayList<>();

    Cities(RegionMap regions) {
        regions.allCities().forEach(name -> byName.put(name, new City(name)));
    }

    City named(String name) {
        City city = byName.get(name);
        if (city == null) {
            throw new IllegalArgumentException("There is no city '" + name + "': there are " + byName.keySet());
        }
        return city;
    }

    synchronized void knowPromoCode(String code) {
        if (promoCodes.size() < MAX_PROMO_CODES) {
            promoCodes.add(code);
        }
    }

    synchronized String anyPromoCode(SplittableRandom random) {
        return promoCodes.get(random.nextInt(promoCodes.size()));
    }
}
