package io.movr.dataset;

import java.util.List;
import java.util.UUID;

/** The rows that the tutorial's statements name, with the ids that it printed. */
public final class PublishedRows {

    /** The city of the ride and the user that are named. */
    public static final String CITY = "boston";

    /** The ride that the primary-key look-ups read. */
    public static final UUID RIDE = UUID.fromString("000007ef-fa0f-4a6e-a089-ce74aa8d2276");

    /** The user whom the look-ups by name read. */
    public static final UUID USER = UUID.fromString("02cc9e5b-1e91-4cdb-87c4-726b4ea7219a");

    public static final String USER_NAME = "Natalie Cunningham";

    /** The five most used vehicles, the most used first. Their cities were not published. */
    public static final List<UUID> MOST_USED_VEHICLES = List.of(
            UUID.fromString("35752c4c-b878-4436-8330-8d7246406a55"),
            UUID.fromString("0962cdca-9d85-457c-9616-cc2ae2d32008"),
            UUID.fromString("c6541da5-9858-4e3f-9b49-992e206d2c50"),
            UUID.fromString("78fdd6f8-c6a1-42df-a89f-cd65b7bb8be9"),
            UUID.fromString("3c950d36-c2b8-48d0-87d3-e0d6f570af62"));

    private PublishedRows() {}
}
