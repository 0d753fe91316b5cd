package io.movr.web;

/** A request whose body names its city. */
public interface CityRequest {

    String city();
}
